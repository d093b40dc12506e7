import {setImmediate as turn} from 'node:timers/promises';

/** A heartbeat is due every few seconds; this is far below that, and far above the cost of a turn of the event loop. */
const TURN_AFTER_MS = 50;

/**
 * For work of many short steps without an await: each step first calls `next`, which lets timers run from time
 * to time, so that heartbeats are sent, and throws when the deadline has passed.
 */
export class Pace implements Disposable {
  readonly #limitMs: number;
  readonly #deadline = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #turnedAt = performance.now();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#timer = setTimeout(() => this.#deadline.abort(), limitMs);
  }

  /** For waits outside of this process. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  async next(): Promise<void> {
    if (performance.now() - this.#turnedAt > TURN_AFTER_MS) {
      await turn();
      this.#turnedAt = performance.now();
    }
    if (this.signal.aborted) throw new Error(`it took longer than ${this.#limitMs} ms`);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
