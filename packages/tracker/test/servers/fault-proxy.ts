import {once} from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type {AddressInfo} from 'node:net';

/** What happens to one request on its way. `null`: it passes. */
export type Fault =
  | null
  /** Answered by the proxy; the server behind it never hears of it. */
  | {
      readonly is: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Taken, and never answered. */
  | {readonly is: 'hang'}
  /** The connection ends before the first byte of an answer. */
  | {readonly is: 'drop'}
  /** The server's answer, broken off in the middle. */
  | {readonly is: 'cut'}
  /** The server's answer, and the proxy stops in the middle without closing. */
  | {readonly is: 'stall'}
  /** So many bytes of JSON that never closes. */
  | {readonly is: 'flood'; readonly bytes: number}
  /** The server's answer, changed. */
  | {readonly is: 'change'; change(body: string): string};

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Stands in front of any HTTP server on loopback and does to its answers what a script says. */
export class FaultProxy implements AsyncDisposable {
  /** Every request, in order, with what became of it or not. */
  readonly seen: SeenRequest[] = [];
  readonly #target: URL;
  readonly #server: Server;
  #script: Fault[] = [];
  #standing: (request: SeenRequest) => Fault = () => null;
  /** Bytes of floods that the other side took before it had enough. */
  flooded = 0;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing));
  }

  static async before(target: URL): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The target's address, with the proxy in its place. */
  get url(): URL {
    const {port} = this.#server.address() as AddressInfo;
    return new URL(`http://127.0.0.1:${port}${this.#target.pathname}`);
  }

  /** One fault for each of the next requests; after them requests pass again. */
  next(...faults: Fault[]): void {
    this.#script = [...faults];
    this.#standing = () => null;
  }

  /** For every request from now on. */
  always(fault: Fault): void {
    this.follow(() => fault);
  }

  /** Asked about every request from now on. */
  follow(decide: (request: SeenRequest) => Fault): void {
    this.#script = [];
    this.#standing = decide;
  }

  /** Resolves when so many requests have come in. */
  async requests(count: number): Promise<void> {
    while (this.seen.length < count) await once(this.#server, 'seen');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await textOf(incoming);
    const {method = 'GET', url: path = '/', headers} = incoming;
    const seen = {method, path, headers, body};
    this.seen.push(seen);
    this.#server.emit('seen');
    const fault = this.#script.shift() ?? this.#standing(seen);
    switch (fault?.is) {
      case 'hang':
        return;
      case 'drop':
        incoming.socket.destroy();
        return;
      case 'answer':
        outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '');
        return;
      case 'flood':
        return this.#flood(fault.bytes, outgoing);
      default:
        return this.#forward(seen, outgoing, fault ?? null);
    }
  }

  async #forward(sent: SeenRequest, outgoing: ServerResponse, fault: Fault): Promise<void> {
    const {method, path, headers} = sent;
    const onward = request(new URL(path, this.#target), {method, headers});
    onward.end(sent.body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const whole = await textOf(answer);
    const body = fault?.is === 'change' ? fault.change(whole) : whole;
    const {'transfer-encoding': _, ...kept} = answer.headers;
    const length = Buffer.byteLength(body);
    outgoing.writeHead(answer.statusCode ?? 200, {...kept, 'content-length': length});
    if (fault?.is !== 'cut' && fault?.is !== 'stall') {
      outgoing.end(body);
      return;
    }
    const half = Buffer.from(body).subarray(0, Math.floor(length / 2));
    outgoing.write(half, () => {
      if (fault.is === 'cut') outgoing.destroy();
    });
  }

  async #flood(bytes: number, outgoing: ServerResponse): Promise<void> {
    const piece = `${' '.repeat(65_535)}\n`;
    outgoing.writeHead(200, {'content-type': 'application/json'}).write('{"data": {');
    const gone = once(outgoing, 'close');
    while (this.flooded < bytes && !outgoing.destroyed) {
      this.flooded += piece.length;
      if (!outgoing.write(piece)) await Promise.race([once(outgoing, 'drain'), gone]);
    }
    outgoing.end();
  }
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
