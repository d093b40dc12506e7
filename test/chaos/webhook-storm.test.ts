import assert from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {once} from 'node:events';
import {Agent, get, type IncomingMessage, request} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';
import {KEY, LinearServer} from '../../packages/tracker/test/servers/linear-server.ts';
import {LinearWorld} from '../../packages/tracker/test/servers/linear-world.ts';
import {readPointer} from '../rig/control.ts';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';

const WEBHOOKS = 1_000;
const EVERY_MS = 10;
const SECRET = 'a webhook secret';

/** A tracker that tells of changes all the time; as many bodies at a time as are taken. */
class Deliveries implements Disposable {
  readonly #agent = new Agent({keepAlive: true, maxSockets: 8});
  readonly #url: string;

  constructor(url: string) {
    this.#url = `${url}/webhooks/p`;
  }

  async send(): Promise<number> {
    const body = JSON.stringify({type: 'Issue', webhookTimestamp: Date.now()});
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = {'content-type': 'application/json', 'linear-signature': signature};
    const sent = request(this.#url, {method: 'POST', agent: this.#agent, headers});
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await text(answer);
    return answer.statusCode ?? 0;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

async function ticksOf(url: string): Promise<number> {
  const [answer] = (await once(get(`${url}/metrics`), 'response')) as [IncomingMessage];
  const found = /^symphony_tick_duration_seconds_count\{project="p"\} (\d+)$/m;
  return Number(found.exec(await text(answer))?.[1] ?? 0);
}

test('a thousand webhooks in ten seconds make at most twelve ticks, and the last one is read', async () => {
  const world = new LinearWorld();
  const team = world.addTeam('LIN');
  await using server = await LinearServer.over(world);
  const provider = {
    ...{endpoint: server.url.href, team_key: 'LIN'},
    ...{api_key: KEY, webhook_secret: SECRET},
  };
  await using folder = await aProject('false', [], {
    tracker: {kind: 'linear', provider},
    polling: {interval_ms: 3_600_000},
  });
  await using supervisor = new SupervisorRig(folder.path, ['--port', '0']);
  await supervisor.shows('the end of its first tick', ({polling}) => !polling.checking);
  const url = (await readPointer(join(folder.path, '.symphony'))).dashboard_url ?? '';
  const before = await ticksOf(url);

  using deliveries = new Deliveries(url);
  const begunAt = performance.now();
  const sending: Promise<number>[] = [];
  for (let nth = 1; nth <= WEBHOOKS; nth++) {
    // The time is what the rule is about.
    await sleep(begunAt + nth * EVERY_MS - performance.now());
    if (nth === WEBHOOKS) world.addIssue(team, 'Todo');
    sending.push(deliveries.send());
  }
  const statuses = await Promise.all(sending);
  assert.deepEqual([...new Set(statuses)], [202]);
  // One at once, then one a second; a machine that needs longer for all of them gets as many more.
  const seconds = Math.floor((performance.now() - begunAt) / 1000);
  await supervisor.shows('the last change', ({waiting}) => waiting.length === 1);
  const ticks = (await ticksOf(url)) - before;
  assert.ok(ticks >= 2 && ticks <= seconds + 2, `${ticks} ticks in ${seconds} s`);
});
