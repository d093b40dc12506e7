import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {answerGraphql} from './github-graphql.ts';
import {answerRest} from './github-rest.ts';
import type {GithubWorld} from './github-world.ts';

/** Both interfaces of GitHub over one world: who may come in, what is unchanged, what is left. */
export class GithubServer implements AsyncDisposable {
  readonly #world: GithubWorld;
  readonly #server: Server;

  private constructor(world: GithubWorld) {
    this.#world = world;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async of(world: GithubWorld): Promise<GithubServer> {
    const server = new GithubServer(world);
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
    const {method = 'GET', headers} = request;
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    const send = (status: number, value: unknown, more: Record<string, string> = {}) => {
      const text = value === undefined ? '' : JSON.stringify(value);
      response.writeHead(status, {'content-type': 'application/json', ...more}).end(text);
    };
    if (headers['user-agent'] === undefined) return send(403, {message: 'User-Agent required'});
    if (headers.authorization !== `Bearer ${this.#world.token}`) {
      return send(401, {message: 'Bad credentials', status: '401'});
    }
    if (url.pathname === '/graphql') {
      return send(200, await answerGraphql(this.#world, body), this.#rates('graphql', 1));
    }
    if (headers['x-github-api-version'] !== '2022-11-28') return send(400, {message: 'version?'});
    const answer = answerRest(this.#world, method, url, body);
    const etag = `W/"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex')}"`;
    const isKnown = method === 'GET' && headers['if-none-match'] === etag;
    const more = {
      ...this.#rates('core', isKnown ? 0 : 1),
      ...(answer.link === undefined ? {} : {link: answer.link}),
      ...(method === 'GET' ? {etag} : {}),
    };
    return isKnown ? send(304, undefined, more) : send(answer.status, answer.body, more);
  }

  #rates(resource: 'core' | 'graphql', cost: number): Record<string, string> {
    const {left} = this.#world;
    left[resource] -= cost;
    return {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': String(left[resource]),
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 1_800),
      'x-ratelimit-resource': resource,
    };
  }
}
