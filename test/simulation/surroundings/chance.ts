import {type Random, randomFrom} from '../../rig/fixtures/random.ts';

/** Everything that happens is drawn from one seed, in one order. */
export class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + this.#random(high - low + 1);
  }

  /** Short ones are frequent, long ones happen: the same for each order of magnitude. */
  span(lowMs: number, highMs: number): number {
    const exponent = this.#random(1_000_000) / 1_000_000;
    return Math.round(lowMs * (highMs / lowMs) ** exponent);
  }

  is(percent: number): boolean {
    return this.#random(10_000) < percent * 100;
  }

  of<T>(choices: readonly T[]): T {
    return this.#random.of(choices);
  }
}
