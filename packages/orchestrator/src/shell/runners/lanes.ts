/** So much of a kind of work at a time, the rest in the order in which it came. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];
  readonly #lanes: number;
  #free: number;

  constructor(lanes: number) {
    this.#lanes = lanes;
    this.#free = lanes;
  }

  /** Something is being done. */
  get isBusy(): boolean {
    return this.#free < this.#lanes;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
