/** A FIFO queue of values; readers may wait before a value arrives. */
export class Mailbox<T> {
  readonly #values: T[] = [];
  readonly #takers: {take: (value: T) => void; fail: (error: Error) => void}[] = [];
  #closed: Error | null = null;

  put(value: T): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#values.push(value);
    else taker.take(value);
  }

  next(): Promise<T> {
    const [value] = this.#values;
    if (value !== undefined) {
      this.#values.shift();
      return Promise.resolve(value);
    }
    if (this.#closed !== null) return Promise.reject(this.#closed);
    return new Promise((take, fail) => this.#takers.push({take, fail}));
  }

  /** Nothing more will come: those who wait are told, and do not wait for ever. */
  close(error: Error): void {
    this.#closed ??= error;
    for (const {fail} of this.#takers.splice(0)) fail(this.#closed);
  }
}
