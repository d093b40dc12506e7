import type {Failure} from '@symphony-supervisor/protocol';
import type {ClaimKey, Ending, Next} from '../claim.ts';
import {forgetCandidates} from '../dispatch/dispatch.ts';
import {type Standing, standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {IssueRead, WriteAnswer} from '../event.ts';
import {confirmThenClean, startCleaning} from '../life/clean.ts';
import {askAgain} from '../tracker/read-again.ts';
import {deliverLater} from './delivery.ts';
import {dismiss} from './dismissal.ts';
import {hold} from './hold.ts';
import {limitReached, mayReadAgain} from './limits.ts';
import {release} from './release.ts';
import {
  continueAfterRun,
  resumeRun,
  retryAfterFailure,
  retryWithoutAttempt,
  withFailure,
} from './retry.ts';

/** The read that follows every end of a run: a terminal or no longer eligible issue overrides the rest. */
export function onReadAfterRun(
  draft: Draft,
  key: ClaimKey,
  claim: Ending,
  {answer, askedAt}: IssueRead,
): void {
  const {tracker} = draft.projectOf(claim).workflow.settings;
  if (answer.ok && askedAt < claim.readAt) return askAgain(draft, key, claim);
  // After a failed read the last known state stays, which a tick may have read in the meantime.
  const issue = answer.ok ? answer.value : claim.issue;
  const standing = standingOf(issue, tracker);
  // A list fetched during the run still contains the issue.
  if (standing !== 'workable') forgetCandidate(draft, claim);
  const next = claim.undelivered === null ? overruled(claim.next, standing) : claim.next;
  const readAt = answer.ok ? askedAt : claim.readAt;
  const current = {...claim, issue: issue ?? claim.issue, readAt, next};
  draft.put(key, current);
  if (issue === null && claim.undelivered === null) release(draft, key, null);
  else carryOut(draft, key, current, answer.ok);
  draft.refill();
}

function overruled(next: Next, standing: Standing): Next {
  if (standing === 'terminal') return {do: 'clean'};
  // A dismissal ends only with a change of the issue, not with a run or a reloaded file.
  if (next.do === 'dismiss') return next;
  if (standing === 'inactive') return {do: 'release', by: 'tracker'};
  // The issue was closed or moved, and a person has reopened it: the same attempt continues.
  const isReopened = next.do === 'clean' || (next.do === 'release' && next.by === 'tracker');
  return isReopened ? {do: 'resume'} : next;
}

/** No process runs, and no read is pending: the decision is carried out. */
export function conclude(draft: Draft, key: ClaimKey, claim: Ending): void {
  carryOut(draft, key, claim, false);
  draft.refill();
}

/** `isRead`: the issue has been read after the run, so it is certainly terminal. */
function carryOut(draft: Draft, key: ClaimKey, claim: Ending, isRead: boolean): void {
  const {next} = claim;
  switch (next.do) {
    case 'release':
      return release(draft, key);
    case 'clean':
      return isRead ? startCleaning(draft, key, claim) : confirmThenClean(draft, key, claim);
    case 'hold':
      return hold(draft, key, claim, next.because, next.question);
    case 'dismiss':
      return dismiss(draft, key, claim, isRead);
    case 'continue':
      return goOn(draft, key, claim);
    case 'retry':
      return retry(draft, key, claim, next.failure);
    case 'wait':
      return wait(draft, key, claim, next.failure);
    case 'deliver':
      return deliverLater(draft, key, claim, next.failure);
    case 'resume':
      return resumeRun(draft, key, claim);
  }
}

/** Not a failure of the issue, so not an attempt; but it counts as a run, and the number of runs is limited. */
function wait(draft: Draft, key: ClaimKey, claim: Ending, failure: Failure): void {
  const {agent} = draft.projectOf(claim).workflow.settings;
  const limit = limitReached(draft.counters(key), claim.failures, agent);
  if (limit !== null) return hold(draft, key, claim, limit, null, failure.message);
  retryWithoutAttempt(draft, key, claim, failure);
}

function goOn(draft: Draft, key: ClaimKey, claim: Ending): void {
  const {agent, tracker} = draft.projectOf(claim).workflow.settings;
  const limit = limitReached(draft.counters(key), claim.failures, agent);
  if (limit !== null) return hold(draft, key, claim, limit, null);
  const handoff = tracker.handoffState;
  if (handoff === null || !draft.state.storeIsWritable) return continueAfterRun(draft, key, claim);
  draft.put(key, {...claim, step: 'handing-off'});
  const {run, issue} = claim;
  draft.order({do: 'write-state', key, runId: run.id, issue, state: handoff});
}

export function onHandedOff(draft: Draft, key: ClaimKey, claim: Ending, answer: WriteAnswer): void {
  if (answer === 'conflict' && !draft.state.isShuttingDown && mayReadAgain(claim.run)) {
    // A person changed the issue in the meantime: it is read again, and the new state wins.
    const run = {...claim.run, conflicts: claim.run.conflicts + 1};
    draft.put(key, {...claim, run, step: 'reading'});
    draft.order({do: 'read-issue', key, runId: run.id, issue: claim.issue});
    return;
  }
  const isWritten = answer === 'written' || answer === 'unchanged';
  if (!isWritten)
    draft.order({do: 'log', level: 'warn', event: 'handoff.failed', key, reason: answer});
  if (isWritten) {
    forgetCandidate(draft, claim);
    const {handoffState} = draft.projectOf(claim).workflow.settings.tracker;
    release(draft, key, {...claim.issue, state: handoffState ?? claim.issue.state});
  } else if (claim.next.do === 'continue') continueAfterRun(draft, key, claim);
  // An operator has given an order in the meantime.
  else carryOut(draft, key, claim, false);
  draft.refill();
}

function forgetCandidate(draft: Draft, claim: Ending): void {
  forgetCandidates(draft, draft.projectOf(claim), new Set([claim.issue.id]));
}

function retry(draft: Draft, key: ClaimKey, claim: Ending, failure: Failure): void {
  const failed = withFailure(claim, failure);
  const {agent} = draft.projectOf(claim).workflow.settings;
  const limit = limitReached(draft.counters(key), failed.failures, agent);
  if (limit !== null) return hold(draft, key, failed, limit, null, failure.message);
  retryAfterFailure(draft, key, failed, failure);
}
