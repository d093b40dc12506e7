/** The last bytes of a stream of any length. */
export class Tail {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const all = chunk.length >= this.#limit ? chunk : Buffer.concat([this.#bytes, chunk]);
    // Copied, so that a few bytes do not keep a large chunk alive.
    this.#bytes = Buffer.from(all.subarray(Math.max(0, all.length - this.#limit)));
  }

  text(): string {
    return this.#bytes.toString('utf8');
  }
}
