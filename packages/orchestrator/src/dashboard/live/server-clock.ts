/**
 * The time of the server. Every received instant is a little old, so the latest estimate wins: the one with the
 * least delay.
 */
export class ServerClock {
  #offset: number | null = null;

  /** `at`: an instant from the server; `now`: when it was received here. */
  hear(at: number, now: number): void {
    if (Number.isNaN(at)) return;
    const offset = at - now;
    if (this.#offset === null || offset > this.#offset) this.#offset = offset;
  }

  /** A new connection: one of the two clocks may have been set. */
  forget(): void {
    this.#offset = null;
  }

  now(here = Date.now()): number {
    return here + (this.#offset ?? 0);
  }
}
