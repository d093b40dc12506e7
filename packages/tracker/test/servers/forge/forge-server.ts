import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ForgeWorld, WorldLog} from './forge-world.ts';
import type {ProviderSchema} from './provider-schema.ts';

export interface ForgeCall {
  readonly world: ForgeWorld;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
  /** What the path has in the places of its parameters. */
  readonly params: readonly string[];
  /** Of branches, as they are now. */
  readonly tips: ReadonlyMap<string, string>;
}

export interface ForgeReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly log?: WorldLog;
}

export type Route = (call: ForgeCall) => ForgeReply | Promise<ForgeReply>;

/** One provider: its routes as its description spells them, and its errors. */
export interface Dialect {
  readonly schema: ProviderSchema;
  /** Before every path: `/api/v4`. */
  readonly prefix: string;
  readonly authorization: (token: string) => string;
  readonly hasEtags: boolean;
  readonly routes: Readonly<Record<string, Route>>;
  readonly unauthorized: unknown;
  readonly notFound: unknown;
}

/** A forge on loopback. Requests and answers that its own description does not allow are listed. */
export class ForgeServer implements AsyncDisposable {
  readonly violations: string[] = [];
  /** Where logs are sent on to; null: they are sent from here. */
  logsAt: URL | null = null;
  readonly #world: ForgeWorld;
  readonly #dialect: Dialect;
  readonly #server: Server;

  private constructor(world: ForgeWorld, dialect: Dialect) {
    this.#world = world;
    this.#dialect = dialect;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async of(world: ForgeWorld, dialect: Dialect): Promise<ForgeServer> {
    const server = new ForgeServer(world, dialect);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const reply = await this.#answer(request);
      if (reply.log !== undefined && reply.log !== null) {
        if (this.logsAt === null) return sendLog(reply.log, response);
        response.writeHead(302, {location: this.logsAt.href}).end();
        return;
      }
      this.#send(reply, request, response);
    } catch (error) {
      this.violations.push(String(error));
      response.writeHead(500).end(String(error));
    }
  }

  async #answer(request: IncomingMessage): Promise<ForgeReply> {
    const {method = 'GET', headers} = request;
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    const {authorization, unauthorized, prefix, notFound, schema} = this.#dialect;
    if (headers.authorization !== authorization(this.#world.token)) {
      return {status: 401, body: unauthorized};
    }
    for (const [route, answer] of Object.entries(this.#dialect.routes)) {
      const params = paramsOf(route, method, url.pathname, prefix);
      if (params === null) continue;
      schema.checkQuery(route, url.searchParams);
      if (method !== 'GET') schema.check(route, 'request', lowerCased(body));
      const tips = this.#world.git.tips();
      const reply = await answer({world: this.#world, url, body, params, tips});
      if (reply.body !== undefined) schema.check(route, String(reply.status), reply.body);
      return reply;
    }
    return {status: 404, body: notFound};
  }

  #send(reply: ForgeReply, request: IncomingMessage, response: ServerResponse): void {
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`;
    const hasEtag = this.#dialect.hasEtags && request.method === 'GET' && reply.status === 200;
    const isKnown = hasEtag && request.headers['if-none-match'] === etag;
    response
      .writeHead(isKnown ? 304 : reply.status, {
        ...{'content-type': 'application/json', ...reply.headers},
        ...(hasEtag ? {etag} : {}),
      })
      .end(isKnown ? '' : text);
  }
}

/** Null: it is not this route. */
function paramsOf(route: string, method: string, path: string, prefix: string): string[] | null {
  const [verb, pattern = ''] = route.split(' ');
  if (verb !== method) return null;
  const expression = `^${prefix}${pattern.replace(/\{[^}]+\}/g, '([^/]+)')}$`;
  const [match, ...params] = new RegExp(expression).exec(path) ?? [];
  return match === undefined ? null : params.map(decodeURIComponent);
}

/** Names in JSON have no case for a server in Go. */
function lowerCased(body: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(body).map(([name, value]) => [name === 'Do' ? 'do' : name, value]);
  return Object.fromEntries(entries);
}

/** Sends a log that is never in memory as a whole; it knows no ranges. */
export async function sendLog(log: NonNullable<WorldLog>, response: ServerResponse): Promise<void> {
  response.writeHead(200, {'content-type': 'text/plain'});
  const gone = once(response, 'close');
  if (typeof log === 'string') {
    response.end(log);
    return;
  }
  const piece = `${'.'.repeat(99)}\n`.repeat(1_000);
  let tenth = 0;
  for (let sent = 0; sent < log.bytes && !response.destroyed; sent += piece.length) {
    if (sent >= (tenth * log.bytes) / 10) {
      log.onTenth();
      tenth += 1;
    }
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), gone]);
  }
  response.end(log.end);
}

export function paged<T>(all: readonly T[], url: URL, most: number): readonly T[] {
  const {searchParams: query} = url;
  const asked = Number(query.get('per_page') ?? query.get('limit') ?? 20);
  const size = Math.min(asked, most);
  const page = Number(query.get('page') ?? 1);
  return all.slice((page - 1) * size, page * size);
}
