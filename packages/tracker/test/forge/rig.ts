import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Answer, TrackerFailure} from '../../src/answer.ts';
import type {Forge} from '../../src/forge/forge.ts';
import type {PullRequest} from '../../src/forge/pull-request.ts';
import {openForge} from '../../src/forge/registry.ts';
import {secretResolver} from '../../src/thread/secrets.ts';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {FaultProxy} from '../servers/fault-proxy.ts';
import {type Dialect, ForgeServer} from '../servers/forge/forge-server.ts';
import {ForgeWorld} from '../servers/forge/forge-world.ts';

/** A world, its forge on loopback, the proxy before it, and our side of it. */
export class ForgeRig implements AsyncDisposable {
  readonly world: ForgeWorld;
  readonly server: ForgeServer;
  readonly proxy: FaultProxy;
  readonly forge: Forge;

  private constructor(server: ForgeServer, proxy: FaultProxy, forge: Forge, world: ForgeWorld) {
    this.world = world;
    this.server = server;
    this.proxy = proxy;
    this.forge = forge;
  }

  static async start(kind: string, dialect: Dialect, limitMs = 30_000): Promise<ForgeRig> {
    const world = new ForgeWorld();
    const server = await ForgeServer.of(world, dialect);
    const proxy = await FaultProxy.before(server.url);
    const forge = await open(kind, world, proxy.url, limitMs);
    return new ForgeRig(server, proxy, forge, world);
  }

  /** Without the proxy, which holds every answer whole. */
  static direct(kind: string, {world, server}: ForgeRig): Promise<Forge> {
    return open(kind, world, server.url, 30_000);
  }

  async read(number: number): Promise<PullRequest> {
    const [pull] = unwrap(await this.forge.readPullRequests([number], soon()));
    assert.ok(pull !== undefined, `there is no pull request ${number}`);
    return pull;
  }

  /** Of the requests since the last look. */
  asked(): number {
    return this.proxy.seen.splice(0).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.forge[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    this.world[Symbol.dispose]();
    assert.deepEqual(this.server.violations, [], 'what the provider does not describe');
  }
}

/** The failure, which must not hold the token. */
export function failureOf(answer: Answer<unknown>, {token}: ForgeWorld): TrackerFailure {
  assert.ok(!answer.ok, 'it should have failed');
  assert.ok(!JSON.stringify(answer.failure).includes(token));
  return answer.failure;
}

/** Another host, where a forge keeps its logs. */
export class LogStorage implements AsyncDisposable {
  readonly seen: IncomingHttpHeaders[] = [];
  readonly #server: Server;

  private constructor(text: string, hasRanges: boolean) {
    this.#server = createServer((request, response) => {
      this.seen.push(request.headers);
      const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
      if (hasRanges && from !== undefined) {
        response.writeHead(206).end(text.slice(Number(from)));
        return;
      }
      response.writeHead(200, {'content-length': Buffer.byteLength(text)}).end(text);
    });
  }

  static async of(text: string, hasRanges = true): Promise<LogStorage> {
    const storage = new LogStorage(text, hasRanges);
    storage.#server.listen(0, '127.0.0.1');
    await once(storage.#server, 'listening');
    return storage;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/log`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function open(kind: string, world: ForgeWorld, url: URL, limitMs: number): Promise<Forge> {
  const place = `${world.owner}/${world.name}`;
  const provider = {repo: place, project: place, endpoint: url.href, api_url: url.href};
  const secrets = {api_key: {from: 'value', value: world.token}} as const;
  const options = {resolveSecret: secretResolver({}), http: {limitMs, pauseMs: 1}};
  return unwrap(await openForge({kind, provider, secrets}, options));
}
