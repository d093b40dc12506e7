import type {Writable} from 'node:stream';

/** Far more than a healthy reader leaves unread; beyond it lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Lines on stdout. A reader that has gone away or stopped reading must neither end the service nor
 * fill its memory: lines are then dropped and counted.
 */
export class Output {
  readonly #stream: Writable;
  readonly #onClosed: (reason: string) => void;
  #isClosed = false;
  #dropped = 0;

  constructor(stream: Writable, onClosed: (reason: string) => void = () => {}) {
    this.#stream = stream;
    this.#onClosed = onClosed;
    stream.on('error', (error: Error) => this.#close(error.message));
  }

  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    if (this.#isClosed || this.#stream.writableLength > MAX_WAITING_BYTES) this.#dropped++;
    else this.#stream.write(line);
  }

  #close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed(reason);
  }
}
