import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {type ModelRequest, modelRequest} from './model-request.ts';
import {type Answer, Prompter} from './stub-script.ts';
import {playStep} from './stub-stream.ts';

/**
 * The model's side of Codex, on loopback and under the test's command: each turn that asks gets the
 * next script, each request of that turn the script's next step. What no script foresees is kept in
 * `unexpected` and answered by a 500 that says so.
 */
export class ResponsesStub {
  /** Every request for a response, in the order of arrival. */
  readonly requests: ModelRequest[] = [];
  readonly unexpected: string[] = [];
  /** Sent along with every answer from now on, e.g. `rateLimitHeaders(…)`. */
  headers: Readonly<Record<string, string>> = {};
  readonly port: number;
  readonly #server: Server;
  readonly #prompter = new Prompter();
  readonly #waiting: {readonly count: number; readonly resolve: () => void}[] = [];

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
    server.on('request', (incoming, response) => {
      this.#serve(incoming, response).catch((error: unknown) => this.#refuse(response, error));
    });
  }

  /** A `port` of its own choice lets a test bring back a server that it has closed. */
  static async listen({port = 0}: {readonly port?: number} = {}): Promise<ResponsesStub> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port was assigned');
    return new ResponsesStub(server, address.port);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Scripts that no turn has asked for. */
  get unplayed(): number {
    return this.#prompter.unplayed;
  }

  /** The answers of the next turn that fits; of the next `turns` turns, if that is said. */
  answers(
    answers: readonly Answer[],
    options: {readonly when?: (request: ModelRequest) => boolean; readonly turns?: number} = {},
  ): void {
    const {when = () => true, turns = 1} = options;
    this.#prompter.add({answers, when, turnsLeft: turns});
  }

  /** Waits for the request with this number, from 0; it may not have been answered yet. */
  async requestAt(index: number): Promise<ModelRequest> {
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

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    if (incoming.method !== 'POST' || incoming.url !== '/v1/responses') {
      throw new Error(`no such route: ${incoming.method} ${incoming.url}`);
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const request = modelRequest(this.requests.length, incoming.headers, body);
    this.requests.push(request);
    this.#announce();
    const step = await this.#prompter.stepFor(request);
    if (step === null) {
      throw new Error(
        `no answer left for turn ${request.turnId}: ${JSON.stringify(request.prompt)}`,
      );
    }
    await playStep(step, request, response, this.headers);
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
    response.writeHead(500, {'content-type': 'application/json'});
    response.end(JSON.stringify({error: {type: 'stub', message: `stub: ${message}`}}));
  }
}
