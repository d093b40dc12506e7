import {request} from 'node:http';
import {createParser} from 'eventsource-parser';
import {targetOf} from '../../../../test/rig/control.ts';

export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** One who watches, and reads only as fast as the test lets him. */
export class SseClient implements Disposable {
  readonly #sent: ReturnType<typeof request>;
  readonly #events: ServerEvent[] = [];
  readonly closed: Promise<void>;
  status = 0;
  readonly #parser = createParser({
    onEvent: ({id = '', event = '', data}) => this.#events.push({id, event, data}),
    onComment: () => this.#comments++,
  });
  #comments = 0;
  #wake: () => void = () => {};
  #stream: import('node:http').IncomingMessage | null = null;

  static async open(url: string, headers: Record<string, string> = {}): Promise<SseClient> {
    const client = new SseClient(url, headers);
    await client.#opened;
    return client;
  }

  readonly #opened: Promise<void>;

  private constructor(url: string, headers: Record<string, string>) {
    this.#sent = request({...targetOf(url), path: '/api/v1/events', headers, agent: false});
    let closed = () => {};
    this.closed = new Promise((resolve) => {
      closed = resolve;
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#sent.once('error', reject);
      this.#sent.once('response', (stream) => {
        this.status = stream.statusCode ?? 0;
        this.#stream = stream;
        stream.setEncoding('utf8');
        stream.on('data', (text: string) => this.#hear(text));
        stream.on('error', () => {}); // 'close' follows
        stream.on('close', closed);
        resolve();
      });
    });
    this.#sent.end();
  }

  get events(): readonly ServerEvent[] {
    return this.#events;
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** The first that fits, said or still to be said. */
  async heard(fits: (event: ServerEvent) => boolean = () => true): Promise<ServerEvent> {
    for (;;) {
      const found = this.#events.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async heardComment(): Promise<void> {
    while (this.#comments === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  [Symbol.dispose](): void {
    this.#sent.destroy();
  }

  #hear(text: string): void {
    this.#parser.feed(text);
    this.#wake();
  }
}
