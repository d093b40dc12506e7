import type {Issue} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import type {Clock} from '../timers.ts';

interface RecentRead {
  readonly read: Answer<Issue | null>;
  /** When the tracker was called, by the monotonic clock. */
  readonly askedAt: number;
}

/** A run takes about as long to end: a newer read would return the same. */
const FRESH_MS = 1_000;

/** The reads that ended a run, for the read that follows its exit. Each is used once, and expires. */
export class RecentReads {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #reads = new Map<string, RecentRead>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  keep(tracker: string, id: string, read: RecentRead): void {
    for (const [key, {askedAt}] of this.#reads) if (this.#isOld(askedAt)) this.#reads.delete(key);
    this.#reads.set(keyOf(tracker, id), read);
  }

  take(tracker: string, id: string): RecentRead | null {
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
