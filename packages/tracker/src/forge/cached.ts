/** A value that is requested again when it is too old. */
export class Cached<T> {
  readonly #load: (signal: AbortSignal) => Promise<T>;
  readonly #maxAgeMs: number;
  #value: {readonly value: T; readonly at: number} | null = null;

  constructor(maxAgeMs: number, load: (signal: AbortSignal) => Promise<T>) {
    this.#maxAgeMs = maxAgeMs;
    this.#load = load;
  }

  /** A failed request is not kept. */
  async get(signal: AbortSignal, now = performance.now()): Promise<T> {
    if (this.#value !== null && now - this.#value.at < this.#maxAgeMs) return this.#value.value;
    const value = await this.#load(signal);
    this.#value = {value, at: now};
    return value;
  }
}
