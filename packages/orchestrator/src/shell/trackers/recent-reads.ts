import type {Issue} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import type {Clock} from '../timers.ts';

export type PendingRead = Promise<Answer<Issue | null>>;

interface Kept {
  readonly read: PendingRead;
  readonly askedAt: number;
}

/** A run takes about as long to begin or to end: a newer read would be no better by then. */
const FRESH_MS = 1_000;

/** Reads of issues that somebody will want in a moment. Each is good for one reader, and not for long. */
export class RecentReads {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #reads = new Map<string, Kept>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** `askedAt`: when the tracker was, or is going to be, asked at the earliest. */
  keep(tracker: string, id: string, read: PendingRead, askedAt = this.#clock.monotonic()): void {
    for (const [key, kept] of this.#reads) if (this.#isOld(kept.askedAt)) this.#reads.delete(key);
    this.#reads.set(keyOf(tracker, id), {read, askedAt});
  }

  has(tracker: string, id: string): boolean {
    const kept = this.#reads.get(keyOf(tracker, id));
    return kept !== undefined && !this.#isOld(kept.askedAt);
  }

  take(tracker: string, id: string): Kept | null {
    const key = keyOf(tracker, id);
    const kept = this.#reads.get(key);
    this.#reads.delete(key);
    return kept === undefined || this.#isOld(kept.askedAt) ? null : kept;
  }

  #isOld(askedAt: number): boolean {
    return this.#clock.monotonic() - askedAt > FRESH_MS;
  }
}

/** Names of trackers hold no line breaks. */
function keyOf(tracker: string, id: string): string {
  return `${tracker}\n${id}`;
}
