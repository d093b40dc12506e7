import type {RecentEvent} from '@symphony-supervisor/protocol';
import type {ClaimKey} from '../core/claim.ts';

const EVENTS_KEPT = 50;
/** Issues come and go for weeks: the least recently active ones are evicted first. */
const ISSUES_KEPT = 500;

/** The last events of each issue, in memory; history is in the store. */
export class RecentEvents {
  readonly #byKey = new Map<ClaimKey, RecentEvent[]>();

  add(key: ClaimKey, event: RecentEvent): void {
    const events = this.#byKey.get(key) ?? [];
    events.push(event);
    if (events.length > EVENTS_KEPT) events.shift();
    this.#byKey.delete(key);
    this.#byKey.set(key, events);
    if (this.#byKey.size <= ISSUES_KEPT) return;
    const [oldest] = this.#byKey.keys();
    if (oldest !== undefined) this.#byKey.delete(oldest);
  }

  /** Newest first. */
  of(key: ClaimKey): RecentEvent[] {
    return (this.#byKey.get(key) ?? []).toReversed();
  }
}
