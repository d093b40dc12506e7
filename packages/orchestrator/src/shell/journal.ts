import type {ClaimKey} from '../core/claim.ts';
import type {Announcement, Line, Progress} from '../core/view/announcements.ts';
import type {Log} from './log.ts';
import type {RecentEvents} from './recent-events.ts';

/** Progress of an agent is logged at most this often for each run. */
const PROGRESS_MS = 1000;

/** Writes announcements to the log, and keeps those about an issue for its page. */
export class Journal {
  readonly #log: Log;
  readonly #recent: RecentEvents;
  readonly #progressAt = new Map<ClaimKey, number>();

  constructor(log: Log, recent: RecentEvents) {
    this.#log = log;
    this.#recent = recent;
  }

  tell(announcements: readonly Announcement[]): void {
    for (const told of announcements) {
      if (told.is === 'line') this.#tellLine(told);
      else if (told.is === 'progress') this.#tellProgress(told);
    }
  }

  #tellLine({level, event, key, at, fields, reason}: Line): void {
    this.#log(level, fields, event);
    if (key === null || level === 'debug') return;
    if (event === 'claim.released') this.#progressAt.delete(key);
    this.#recent.add(key, {at: iso(at), event, message: reason});
  }

  #tellProgress({key, at, event, message, about}: Progress): void {
    if (at - (this.#progressAt.get(key) ?? 0) < PROGRESS_MS) return;
    this.#progressAt.set(key, at);
    const fields = {event: event ?? 'agent.progress', ...about, reason: message};
    this.#log('debug', fields, 'runner.reported');
    if (event !== null) this.#recent.add(key, {at: iso(at), event, message});
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
