import {createHmac} from 'node:crypto';
import {FaultProxy} from '../../../packages/tracker/test/servers/fault-proxy.ts';
import {KEY, LinearServer} from '../../../packages/tracker/test/servers/linear-server.ts';
import {LinearWorld, type Team} from '../../../packages/tracker/test/servers/linear-world.ts';

export const WEBHOOK_SECRET = 'secret-of-the-webhook';
/** So far away that nothing but what a case does can have started a tick. */
export const NEVER = {interval_ms: 3_600_000};

/** A Linear on loopback, behind a proxy that can spoil its answers, and its section of a workflow. */
export class Linear implements AsyncDisposable {
  readonly world: LinearWorld;
  readonly team: Team;
  readonly proxy: FaultProxy;
  readonly #server: LinearServer;

  private constructor(world: LinearWorld, server: LinearServer, proxy: FaultProxy) {
    this.world = world;
    this.team = world.addTeam('LIN');
    this.#server = server;
    this.proxy = proxy;
  }

  static async open(): Promise<Linear> {
    const world = new LinearWorld();
    const server = await LinearServer.over(world);
    return new Linear(world, server, await FaultProxy.before(server.url));
  }

  get settings() {
    return {
      kind: 'linear',
      provider: {
        endpoint: this.proxy.url.href,
        team_key: 'LIN',
        api_key: '$LIN_KEY',
        webhook_secret: '$LIN_WEBHOOK',
      },
    };
  }

  /** What the settings name. */
  get env() {
    return {LIN_KEY: KEY, LIN_WEBHOOK: WEBHOOK_SECRET};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

/** A delivery as Linear makes it. */
export function aDelivery(secret = WEBHOOK_SECRET) {
  const news = {action: 'update', type: 'Issue', data: {}, webhookTimestamp: Date.now()};
  const body = JSON.stringify(news);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    method: 'POST',
    headers: {'content-type': 'application/json', 'linear-signature': signature},
    body,
  };
}
