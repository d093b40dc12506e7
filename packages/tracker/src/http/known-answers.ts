import type {RestAnswer} from './rest.ts';

export interface KnownAnswer {
  readonly etag: string;
  readonly answer: RestAnswer;
  /** Characters of the body: about what it takes to keep it. */
  readonly size: number;
}

/**
 * A hundred pages of a hundred issues of ordinary length; older pages are evicted and requested
 * again.
 */
const MAX_SIZE = 64 * 1024 * 1024;

/** The last answer by path, evicted least recently used first. */
export class KnownAnswers {
  readonly #answers = new Map<string, KnownAnswer>();
  #size = 0;

  get(path: string): KnownAnswer | undefined {
    const known = this.#answers.get(path);
    if (known === undefined) return undefined;
    // A map keeps insertion order.
    this.#answers.delete(path);
    this.#answers.set(path, known);
    return known;
  }

  set(path: string, known: KnownAnswer): void {
    this.#remove(path);
    this.#answers.set(path, known);
    this.#size += known.size;
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= MAX_SIZE) return;
      this.#remove(oldest);
    }
  }

  #remove(path: string): void {
    this.#size -= this.#answers.get(path)?.size ?? 0;
    this.#answers.delete(path);
  }
}
