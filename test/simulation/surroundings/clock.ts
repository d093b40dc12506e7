/** A timer may come this much late, on a machine that has other things to do. */
export const TIMERS_LATE_MS = 3_000;
/** So soon a jump of the wall clock is noticed. */
export const NOTICED_MS = 10_000 + TIMERS_LATE_MS;

/** What can be waited for. */
interface Timeout {
  readonly at: number;
  readonly wake: () => void;
  isCleared: boolean;
}

/**
 * Time that passes only when it is told to. The wall clock can be set, and runs on while the machine
 * sleeps; the monotonic one can do neither, and everything that waits, waits by that.
 */
export class WorldClock {
  #wall = Date.UTC(2024, 0, 1);
  #monotonic = 1_000;
  /** When somebody last did. */
  jumpedAt = 0;
  /** When it last went forward, as after a suspend. */
  sleptAt = 0;
  /** In order of time, the next one last. */
  readonly #waiting: Timeout[] = [];

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  setTimeout(wake: () => void, delayMs: number): Timeout {
    const at = this.#monotonic + Math.max(0, delayMs);
    const timeout = {at, wake, isCleared: false};
    this.#waiting.splice(this.#placeOf(timeout), 0, timeout);
    return timeout;
  }

  clearTimeout(timeout: unknown): void {
    if (timeout !== null && timeout !== undefined) (timeout as Timeout).isCleared = true;
  }

  /** Goes on to the next thing that is due, if it is due by then; false if there is none. */
  step(untilMonotonic: number): boolean {
    for (let next = this.#waiting.at(-1); next !== undefined; next = this.#waiting.at(-1)) {
      if (!next.isCleared && next.at > untilMonotonic) break;
      this.#waiting.pop();
      if (next.isCleared) continue;
      this.#advance(next.at - this.#monotonic);
      next.wake();
      return true;
    }
    this.#advance(untilMonotonic - this.#monotonic);
    return false;
  }

  /** Somebody sets the wall clock; to those who wait, a suspended machine looks just the same. */
  jump(ms: number): void {
    this.jumpedAt = this.#monotonic;
    if (ms > 0) this.sleptAt = this.#monotonic;
    this.#wall += ms;
  }

  #advance(ms: number): void {
    if (ms <= 0) return;
    this.#wall += ms;
    this.#monotonic += ms;
  }

  /** Of two that are due at the same time, the one that was set first comes first. */
  #placeOf({at}: Timeout): number {
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waiting[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
