import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {answerMcp, type OfferedTools} from './answer.ts';

/** Nothing but this machine reaches it. */
const HOST = '127.0.0.1';
const PATH = '/mcp';
/** Far more than the arguments of a tool take. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** An agent has one or two open; one that keeps on connecting is broken. */
const MAX_CONNECTIONS = 32;
/** For headers and body of a request. How long its answer takes is up to the tool. */
const REQUEST_LIMIT_MS = 30_000;

/**
 * The tools of one run as an MCP server of its own: on a free port of loopback, for those who know its token, and gone
 * with the run. Plain JSON answers are all that clients need, so nothing is streamed and nothing is kept between requests.
 */
export class ToolServer implements AsyncDisposable {
  readonly url: string;
  /** Has a form that is masked wherever it is written (`mask.ts`). */
  readonly token: string;
  readonly #server: Server;
  readonly #digest: Buffer;
  readonly #host: string;
  readonly #offered: OfferedTools;
  #wasAsked = false;

  static async listen(offered: OfferedTools): Promise<ToolServer> {
    const server = createServer({requestTimeout: REQUEST_LIMIT_MS});
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, HOST, resolve);
    });
    return new ToolServer(server, offered);
  }

  private constructor(server: Server, offered: OfferedTools) {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    this.#server = server;
    this.#offered = offered;
    this.#host = `${HOST}:${address.port}`;
    this.url = `http://${this.#host}${PATH}`;
    this.token = `symphony_run_${randomBytes(32).toString('hex')}`;
    this.#digest = digestOf(`Bearer ${this.token}`);
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** Whether the agent has ever asked which tools there are. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that went away in the meantime is no failure of ours.
    response.on('error', () => {});
    try {
      const refusal = this.#refuse(request);
      if (refusal !== null) return end(response, refusal);
      const body = await readBody(request);
      if (body === null) return end(response, 413);
      const answer = await this.#answerText(body);
      if (answer === null) return end(response, 202);
      response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(answer));
    } catch {
      end(response, response.headersSent ? null : 500);
    }
  }

  async #answerText(body: string): Promise<object | null> {
    const message = parse(body);
    if (isList(message)) this.#wasAsked = true;
    return answerMcp(message, this.#offered);
  }

  /** The status of a request that is not answered; null: it is. */
  #refuse({headers, method, url}: IncomingMessage): number | null {
    // Only a page in a browser, or a name that someone else resolves, comes with another host or an origin.
    if (headers.host !== this.#host || headers.origin !== undefined) return 403;
    const given = digestOf(headers.authorization ?? '');
    if (!timingSafeEqual(given, this.#digest)) return 401;
    if (url !== PATH) return 404;
    // A client asks by GET for a stream of our requests. There are none.
    if (method !== 'POST') return 405;
    return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? 413 : null;
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** null: it is too long, or was cut off. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function isList(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'tools/list'
  );
}

/** Whatever is left of the request is not read. */
function end(response: ServerResponse, status: number | null): void {
  if (status !== null) {
    const allow = status === 405 ? {allow: 'POST'} : {};
    response.writeHead(status, {...allow, ...(status === 202 ? {} : {connection: 'close'})});
  }
  response.end();
}
