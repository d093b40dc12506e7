import type {Clock} from '../../src/shell/timers.ts';

/** A clock that stands still until the test moves it. */
export class FakeClock implements Clock {
  #wall = 1_700_000_000_000;
  #monotonic = 1_000;
  readonly #timeouts = new Map<number, {at: number; wake: () => void}>();
  #next = 1;
  /** The longest delay that anybody asked for. */
  longest = 0;

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  setTimeout(wake: () => void, delayMs: number): number {
    this.longest = Math.max(this.longest, delayMs);
    this.#timeouts.set(this.#next, {at: this.#monotonic + delayMs, wake});
    return this.#next++;
  }

  clearTimeout(timeout: unknown): void {
    this.#timeouts.delete(timeout as number);
  }

  get pending(): number {
    return this.#timeouts.size;
  }

  /** Time passes, for both clocks; what is due meanwhile happens when it is due. */
  pass(ms: number): void {
    const end = this.#monotonic + ms;
    for (;;) {
      const [next] = [...this.#timeouts].sort(([, a], [, b]) => a.at - b.at);
      if (next === undefined || next[1].at > end) break;
      this.#advance(Math.max(0, next[1].at - this.#monotonic));
      this.#timeouts.delete(next[0]);
      next[1].wake();
    }
    this.#advance(end - this.#monotonic);
  }

  /** Somebody sets the wall clock; a suspend looks just the same. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  #advance(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }
}
