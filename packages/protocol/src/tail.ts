/** The last bytes of a stream of any length, starting at a word. */
export class Tail {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const all = chunk.length >= this.#limit ? chunk : Buffer.concat([this.#bytes, chunk]);
    this.#isCut ||= chunk.length > this.#limit || all.length > this.#limit;
    // Copied, so that a few bytes do not retain a large chunk.
    this.#bytes = Buffer.from(all.subarray(Math.max(0, all.length - this.#limit)));
  }

  text(): string {
    const text = this.#bytes.toString('utf8');
    // Half a word may be half a secret, which masking would not recognize.
    return this.#isCut ? text.replace(/^\S*\s/, '') : text;
  }
}
