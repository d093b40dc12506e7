/** Time for the shell; a simulation provides its own. */
export interface Clock {
  /** Wall time, which may jump. */
  now(): number;
  /** Only increases, and pauses while the machine is suspended. */
  monotonic(): number;
  setTimeout(wake: () => void, delayMs: number): unknown;
  clearTimeout(timeout: unknown): void;
}

export const REAL_CLOCK: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (wake, delayMs) => setTimeout(wake, delayMs),
  clearTimeout: (timeout) => clearTimeout(timeout as NodeJS.Timeout),
};

/**
 * The longest wait: it limits how late a jump of the wall clock is noticed, and a delay beyond the 2^31-1 ms
 * of a timeout is split into several waits.
 */
const LOOK_MS = 10_000;
/** The two clocks drift apart by a few milliseconds; a second means that one was set, or a suspend. */
const JUMP_MS = 1_000;

interface Timer {
  /** By the monotonic clock, which delays are measured with. */
  due: number;
}

/** Timers by name: a new one replaces the old one of its name, and each fires once, late rather than never. */
export class Timers<Name extends string = string> implements Disposable {
  readonly #onFire: (name: Name) => void;
  readonly #clock: Clock;
  readonly #onJump: (byMs: number) => void;
  readonly #timers = new Map<Name, Timer>();
  /** Wall minus monotonic time; constant until the wall clock is set. */
  #offset: number;
  #timeout: unknown = null;
  #isDisposed = false;
  #wakesAt = Number.POSITIVE_INFINITY;

  /** `onJump` is called before anything fires that is due only because of the jump. */
  constructor(
    onFire: (name: Name) => void,
    clock: Clock = REAL_CLOCK,
    onJump: (byMs: number) => void = () => {},
  ) {
    this.#onFire = onFire;
    this.#clock = clock;
    this.#onJump = onJump;
    this.#offset = clock.now() - clock.monotonic();
  }

  /** The wall clock's time; a jump is reported before the time after it is used. */
  now(): number {
    if (this.#noticeJump()) this.#arm();
    return this.#clock.now();
  }

  set(name: Name, atWallMs: number): void {
    // Events that were pending at the end still arrive, and must not keep the process alive.
    if (this.#isDisposed) return;
    this.#noticeJump();
    this.#timers.set(name, {due: atWallMs - this.#offset});
    this.#arm();
  }

  /** Whether a timer of this name has yet to fire. */
  isSet(name: Name): boolean {
    return this.#timers.has(name);
  }

  clear(name: Name): void {
    if (this.#timers.delete(name)) this.#arm();
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#timers.clear();
    this.#arm();
  }

  #wake(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    this.#noticeJump();
    const now = this.#clock.monotonic();
    const due = [...this.#timers].filter(([, timer]) => timer.due <= now);
    due.sort(([, a], [, b]) => a.due - b.due);
    try {
      for (const [name, timer] of due) {
        // A fired timer may have cleared or replaced those after it.
        if (this.#timers.get(name) !== timer) continue;
        this.#timers.delete(name);
        this.#onFire(name);
      }
    } finally {
      this.#arm();
    }
  }

  #noticeJump(): boolean {
    const offset = this.#clock.now() - this.#clock.monotonic();
    if (Math.abs(offset - this.#offset) < JUMP_MS) return false;
    const byMs = offset - this.#offset;
    this.#offset = offset;
    // Forward: the machine may have slept, and what became due is due. Backward: every delay stays as it was.
    if (byMs > 0) for (const timer of this.#timers.values()) timer.due -= byMs;
    this.#onJump(byMs);
    return true;
  }

  /** One timeout for all timers, replaced only when it would fire at the wrong time. */
  #arm(): void {
    const now = this.#clock.monotonic();
    const first = Math.min(...[...this.#timers.values()].map(({due}) => due));
    const wakesAt = this.#timers.size === 0 ? Number.POSITIVE_INFINITY : Math.max(now, first);
    if (wakesAt === this.#wakesAt) return;
    if (this.#timeout !== null) this.#clock.clearTimeout(this.#timeout);
    this.#timeout = null;
    this.#wakesAt = wakesAt;
    if (this.#timers.size === 0) return;
    // Rounded up: an early timeout would only be set again.
    const delay = Math.min(Math.ceil(wakesAt - now), LOOK_MS);
    this.#timeout = this.#clock.setTimeout(() => this.#wake(), delay);
  }
}
