import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {json} from 'node:stream/consumers';

export interface Card {
  key: string;
  title: string | null;
  column: string;
  tags: string[];
  notes: string[];
  changed: string;
}

/** The provider, small enough for a test: cards in memory, served to one key. */
export class BoardServer implements AsyncDisposable {
  readonly cards = new Map<string, Card>();
  readonly key = 'a-key-of-the-board';
  /** What happens between the adapter's read and its write. */
  beforeWrite = () => {};
  #clock = Date.parse('2024-01-01T00:00:00Z');
  readonly #server = createServer(async (request, response) => {
    const [status, answer] = await this.#answer(request);
    response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer));
  });

  static async start(): Promise<BoardServer> {
    const board = new BoardServer();
    await once(board.#server.listen(0, '127.0.0.1'), 'listening');
    return board;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  add(key: string, column: string): void {
    const card = {key, title: `Card ${key}`, column, tags: [], notes: [], changed: this.#tick()};
    this.cards.set(key, card);
  }

  change(key: string, changes: Partial<Card>): Card | undefined {
    const card = this.cards.get(key);
    return card && Object.assign(card, changes, {changed: this.#tick()});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage): Promise<[status: number, answer: unknown]> {
    if (request.headers.authorization !== `Bearer ${this.key}`) return [401, {}];
    if (request.method === 'GET') return [200, [...this.cards.values()]];
    const {from, column, tags, note} = (await json(request)) as Record<string, never>;
    const card = this.cards.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''));
    this.beforeWrite();
    if (card === undefined) return [404, {}];
    if (card.column !== from) return [409, card];
    const notes = note === undefined ? card.notes : [...card.notes, note];
    const changes = {column: column ?? card.column, tags: tags ?? card.tags, notes};
    return [200, this.change(card.key, changes)];
  }

  #tick(): string {
    this.#clock += 1_000;
    return new Date(this.#clock).toISOString();
  }
}
