import type {ClaimKey, Ending, Running} from '../claim.ts';
import {standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {Event} from '../event.ts';
import {armStallClock} from './stall.ts';
import {stopRun} from './stop.ts';

/** How long a run may continue after its own tool call moved its issue out of the active states. */
const OWN_MOVE_MS = 60_000;

/** While a tool call is pending, the silence is not the agent's. */
export function onToolCalled(draft: Draft, key: ClaimKey, claim: Running | Ending): void {
  if (claim.is !== 'running') return;
  const {run} = claim;
  draft.put(key, {
    ...claim,
    run: {...run, lastHeardAt: null, callsUnderWay: run.callsUnderWay + 1},
  });
}

/** A state change by the run itself does not kill it: it ends after its turn. */
export function onToolAnswered(
  draft: Draft,
  key: ClaimKey,
  claim: Running | Ending,
  {movedTo, askedAt}: Extract<Event, {type: 'tool.answered'}>,
): void {
  if (claim.is !== 'running') return;
  const callsUnderWay = Math.max(0, claim.run.callsUnderWay - 1);
  const run = {
    ...claim.run,
    callsUnderWay,
    lastHeardAt: callsUnderWay > 0 ? null : draft.at,
    movedTo: movedTo ?? claim.run.movedTo,
  };
  // If the read after the run fails, this is the last known state.
  const moved = {...claim.issue, state: movedTo ?? claim.issue.state};
  const readAt = movedTo === null ? claim.readAt : Math.max(askedAt, claim.readAt);
  draft.put(key, {...claim, issue: moved, readAt, run});
  armStallClock(draft, key);
  if (movedTo === null) return;
  const {tracker} = draft.projectOf(claim).workflow.settings;
  if (standingOf(moved, tracker) !== 'workable') {
    draft.order({do: 'set-timer', timer: `turn-end ${key}`, at: draft.at + OWN_MOVE_MS});
  }
  // The new state may have a limit of its own.
  draft.refill();
}

/** Its turn took too long; then the rule for the new state applies. */
export function onTurnEndDue(draft: Draft, key: ClaimKey, claim: Running): void {
  if (claim.run.movedTo === null) return;
  // The read after its end decides what follows.
  stopRun(draft, key, claim, 'canceled_by_reconciliation', {do: 'release', by: 'tracker'});
}
