import type {Issue} from '@symphony-supervisor/protocol';
import type {ClaimKey} from '../claim.ts';
import {standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {ReleaseStatus} from '../effect.ts';

/**
 * Drops the claim; its counters and its history stay in the store. `seen` is the issue as it was just
 * read (null: it was deleted), if the claim does not have it yet.
 */
export function release(draft: Draft, key: ClaimKey, seen?: Issue | null): void {
  const claim = draft.claims.get(key);
  const issue = seen === undefined ? claim?.issue : seen;
  if (claim !== undefined && issue !== undefined) {
    const {tracker} = draft.projectOf(claim).workflow.settings;
    const status = issue === null ? 'gone' : STATUS[standingOf(issue, tracker)];
    draft.order({do: 'record-release', key, status, state: issue?.state ?? null});
  }
  draft.drop(key);
  clearTimers(draft, key);
}

const STATUS: Readonly<Record<ReturnType<typeof standingOf>, ReleaseStatus>> = {
  workable: 'waiting',
  terminal: 'done',
  inactive: 'parked',
};

export function clearTimers(draft: Draft, key: ClaimKey): void {
  for (const kind of ['retry', 'stall', 'heartbeat', 'turn-end'] as const) {
    draft.order({do: 'clear-timer', timer: `${kind} ${key}`});
  }
}
