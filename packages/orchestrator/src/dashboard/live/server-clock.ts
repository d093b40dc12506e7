/**
 * What time it is where the snapshots are made. Every instant that arrives was true some time before it
 * arrived, so the latest reading wins: the one with the least delay.
 */
export class ServerClock {
  #offset: number | null = null;

  /** `at`: an instant the server named; `now`: when it was heard here. */
  hear(at: number, now: number): void {
    if (Number.isNaN(at)) return;
    const offset = at - now;
    if (this.#offset === null || offset > this.#offset) this.#offset = offset;
  }

  /** A new line: one of the two clocks may have been set. */
  forget(): void {
    this.#offset = null;
  }

  now(here = Date.now()): number {
    return here + (this.#offset ?? 0);
  }
}
