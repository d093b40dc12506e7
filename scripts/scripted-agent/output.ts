import {once} from 'node:events';
import type {Writable} from 'node:stream';

/** The lines that this process writes, whatever their protocol. */
export class Output {
  readonly #out: Writable;
  /** Lines that wait until the long one that is being written has ended; null while none is. */
  #held: string[] | null = null;

  constructor(out: Writable) {
    this.#out = out;
  }

  line(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(text: string): void {
    if (this.#held === null) this.#out.write(text);
    else this.#held.push(text);
  }

  /** One line in many parts, no faster than it is read, and nothing else in between. */
  async writeLong(parts: Iterable<string>): Promise<void> {
    this.#held = [];
    for (const part of parts) {
      this.#out.write(part);
      await this.drained();
    }
    const held = this.#held.join('');
    this.#held = null;
    this.#out.write(held);
  }

  /** Resolves as soon as there is room for more. */
  async drained(): Promise<void> {
    if (this.#out.writableNeedDrain) await once(this.#out, 'drain');
  }

  /** Resolves when all that was written has left this process. */
  flushed(): Promise<void> {
    return new Promise((resolve) => this.#out.write('', () => resolve()));
  }
}
