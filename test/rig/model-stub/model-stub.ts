import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {type Answer, Prompter, type Turns} from './script.ts';

/** A request as it came in, before it is read in the words of one API. */
export interface RawRequest {
  /** 0 for the first that the stub got. */
  readonly index: number;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Binds a server to loopback. A `port` of its own choice lets a test bring back a server that it has closed. */
export async function listenOnLoopback(port: number): Promise<{server: Server; port: number}> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was assigned');
  return {server, port: address.port};
}

/**
 * The model's side of an agent, on loopback and under the test's command: each turn that asks gets the
 * next script, each request of that turn the script's next step. What no script foresees is kept in
 * `unexpected` and refused by an answer that says so.
 */
export abstract class ModelStub<Request, Step extends object> implements AsyncDisposable {
  /** Every request for an answer, in the order of arrival. */
  readonly requests: Request[] = [];
  readonly unexpected: string[] = [];
  readonly port: number;
  readonly #server: Server;
  readonly #prompter: Prompter<Request, Step>;
  readonly #waiting: {readonly count: number; readonly resolve: () => void}[] = [];

  protected constructor(server: Server, port: number, turns: Turns<Request, Step>) {
    this.#server = server;
    this.port = port;
    this.#prompter = new Prompter(turns);
    server.on('request', (incoming, response) => {
      this.#serve(incoming, response).catch((error: unknown) => this.#refuse(response, error));
    });
  }

  /** Scripts that no turn has asked for. */
  get unplayed(): number {
    return this.#prompter.unplayed;
  }

  /** The answers of the next turn that fits; of the next `turns` turns, if that is said. */
  answers(
    answers: readonly Answer<Request, Step>[],
    options: {readonly when?: (request: Request) => boolean; readonly turns?: number} = {},
  ): void {
    const {when = () => true, turns = 1} = options;
    this.#prompter.add({answers, when, turnsLeft: turns});
  }

  /** Waits for the request with this number, from 0; it may not have been answered yet. */
  async requestAt(index: number): Promise<Request> {
    if (this.requests.length <= index) {
      await new Promise<void>((resolve) => this.#waiting.push({count: index + 1, resolve}));
    }
    const request = this.requests[index];
    if (request === undefined) throw new Error(`request ${index} was never made`);
    return request;
  }

  /** No more connections, and those that hang are cut. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const {resolve} of this.#waiting.splice(0)) resolve();
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.once('close', resolve));
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Answers a request, by `nextStep` or by itself. What it throws is unexpected. */
  protected abstract answer(raw: RawRequest, response: ServerResponse): Promise<void>;

  /** Keeps a request of a turn and finds its answer. */
  protected async nextStep(request: Request, about: string): Promise<Step> {
    this.requests.push(request);
    this.#announce();
    const step = await this.#prompter.stepFor(request);
    if (step === null) throw new Error(`no answer left for ${about}`);
    return step;
  }

  /** How the stub refuses what no script foresees. */
  protected abstract refusal(message: string): {readonly status: number; readonly body: object};

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const {method = 'GET', url = '/', headers} = incoming;
    const body = Buffer.concat(chunks);
    const at = new URL(url, `http://127.0.0.1:${this.port}`);
    await this.answer({index: this.requests.length, method, url: at, headers, body}, response);
  }

  #announce(): void {
    for (const waiter of [...this.#waiting]) {
      if (waiter.count > this.requests.length) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.resolve();
    }
  }

  #refuse(response: ServerResponse, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.unexpected.push(message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const {status, body} = this.refusal(`stub: ${message}`);
    response.writeHead(status, {'content-type': 'application/json'});
    response.end(JSON.stringify(body));
  }
}
