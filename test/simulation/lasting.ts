/** Since when something has been as it should not stay, by a clock that nobody can set. */
export class Lasting {
  readonly #since = new Map<string, number>();

  /** How long it has been so, as of now; 0 if it is not. */
  note(key: string, isSo: boolean, now: number): number {
    if (!isSo) {
      this.#since.delete(key);
      return 0;
    }
    const since = this.#since.get(key) ?? now;
    this.#since.set(key, since);
    return now - since;
  }

  /** Whoever is gone is nobody's trouble any more. */
  keep(isThere: (key: string) => boolean): void {
    for (const key of this.#since.keys()) if (!isThere(key)) this.#since.delete(key);
  }
}
