import type {Failure} from '@symphony-supervisor/protocol';
import type {ClaimKey, Ending, Next} from '../claim.ts';
import {forgetCandidates} from '../dispatch/dispatch.ts';
import {type Standing, standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {IssueRead, WriteAnswer} from '../event.ts';
import {confirmThenClean, startCleaning} from '../life/clean.ts';
import {askAgain} from '../tracker/read-again.ts';
import {BUSY_MS, backoffMs, CONTINUATION_MS} from './backoff.ts';
import {hold} from './hold.ts';
import {limitReached, mayReadAgain} from './limits.ts';
import {release} from './release.ts';
import {scheduleRetry} from './retry.ts';

/** The read that follows every end of a run: an issue that is over or no longer ours overrules the rest. */
export function onReadAfterRun(
  draft: Draft,
  key: ClaimKey,
  claim: Ending,
  {answer, askedAt}: IssueRead,
): void {
  const {tracker} = draft.projectOf(claim).workflow.settings;
  if (answer.ok && askedAt < claim.readAt) return askAgain(draft, key, claim);
  // A read that failed leaves what was last known, which a tick may have read meanwhile.
  const issue = answer.ok ? answer.value : claim.issue;
  const standing = standingOf(issue, tracker);
  // A list that was fetched while it ran still has it.
  if (standing !== 'workable') forgetCandidate(draft, claim);
  const next = overruled(claim.next, standing);
  const readAt = answer.ok ? askedAt : claim.readAt;
  const current = {...claim, issue: issue ?? claim.issue, readAt, next};
  draft.put(key, current);
  if (issue === null) release(draft, key, null);
  else carryOut(draft, key, current, answer.ok);
  draft.refill();
}

function overruled(next: Next, standing: Standing): Next {
  if (standing === 'terminal') return {do: 'clean'};
  if (standing === 'inactive') return {do: 'release', by: 'tracker'};
  // It was closed or moved away, and a person has reopened it since: the same attempt goes on.
  const isReopened = next.do === 'clean' || (next.do === 'release' && next.by === 'tracker');
  return isReopened ? {do: 'resume'} : next;
}

/** Nothing runs any more, and no read is waited for: what was decided is carried out. */
export function conclude(draft: Draft, key: ClaimKey, claim: Ending): void {
  carryOut(draft, key, claim, false);
  draft.refill();
}

/** `isRead`: the issue has been read after the run, so it is certain that it is over. */
function carryOut(draft: Draft, key: ClaimKey, claim: Ending, isRead: boolean): void {
  const {next} = claim;
  switch (next.do) {
    case 'release':
      return release(draft, key);
    case 'clean':
      return isRead ? startCleaning(draft, key, claim) : confirmThenClean(draft, key, claim);
    case 'hold':
      return hold(draft, key, claim, next.because, next.question);
    case 'continue':
      return goOn(draft, key, claim);
    case 'retry':
      return retry(draft, key, claim, next.failure);
    case 'wait':
      return wait(draft, key, claim, next.failure);
    case 'resume':
      return scheduleRetry(draft, key, claim, {
        kind: 'resume',
        attempt: claim.run.attempt,
        dueAt: draft.at,
        lastError: claim.run.lastError,
        // In order: the run that goes on after this is still the same one, if it had begun.
        counts: claim.run.counts && !hasBegun(claim),
      });
  }
}

function hasBegun({run}: Ending): boolean {
  return run.step === 'forking' || run.step === 'live';
}

/** Nobody's fault, so no attempt; but runs are runs, and their number is limited. */
function wait(draft: Draft, key: ClaimKey, claim: Ending, failure: Failure): void {
  const {agent} = draft.projectOf(claim).workflow.settings;
  const limit = limitReached(draft.counters(key), claim.failures, agent);
  if (limit !== null) return hold(draft, key, claim, limit, null, failure.message);
  scheduleRetry(draft, key, claim, {
    kind: claim.run.retry ?? 'resume',
    attempt: claim.run.attempt,
    dueAt: draft.at + (failure.code === 'workspace_busy' ? BUSY_MS : 0),
    lastError: failure.message,
    waitsFor: failure.message,
  });
}

function goOn(draft: Draft, key: ClaimKey, claim: Ending): void {
  const {agent, tracker} = draft.projectOf(claim).workflow.settings;
  const limit = limitReached(draft.counters(key), claim.failures, agent);
  if (limit !== null) return hold(draft, key, claim, limit, null);
  const handoff = tracker.handoffState;
  if (handoff === null || !draft.state.storeIsWritable) return continueLater(draft, key, claim);
  draft.put(key, {...claim, step: 'handing-off'});
  const {run, issue} = claim;
  draft.order({do: 'write-state', key, runId: run.id, issue, state: handoff});
}

export function onHandedOff(draft: Draft, key: ClaimKey, claim: Ending, answer: WriteAnswer): void {
  if (answer === 'conflict' && !draft.state.isShuttingDown && mayReadAgain(claim.run)) {
    // A person changed the issue meanwhile: what they said is read, and wins.
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
  } else if (claim.next.do === 'continue') continueLater(draft, key, claim);
  // An operator has spoken meanwhile.
  else carryOut(draft, key, claim, false);
  draft.refill();
}

function forgetCandidate(draft: Draft, claim: Ending): void {
  forgetCandidates(draft, draft.projectOf(claim), new Set([claim.issue.id]));
}

/** After a run that changed nothing the next one would hardly do better: it waits as after a failure. */
function continueLater(draft: Draft, key: ClaimKey, claim: Ending): void {
  const {maxRetryBackoffMs} = draft.projectOf(claim).workflow.settings.agent;
  const isIdle = claim.outcome === 'no_change';
  const delayMs = isIdle
    ? backoffMs(draft.counters(key).idleRuns, maxRetryBackoffMs)
    : CONTINUATION_MS;
  scheduleRetry(draft, key, claim, {
    kind: 'continuation',
    attempt: 1,
    dueAt: draft.at + delayMs,
    lastError: null,
    // A slot is kept for a second only.
    waitsFor: isIdle ? 'the last run changed nothing' : null,
  });
}

function retry(draft: Draft, key: ClaimKey, claim: Ending, failure: Failure): void {
  const failures = claim.failures + 1;
  const threadFailures = claim.thread === null ? 0 : claim.threadFailures + 1;
  const isOver = failure.code === 'context_window_exceeded' || threadFailures >= 2;
  const failed = {
    ...claim,
    failures,
    thread: isOver ? null : claim.thread,
    threadFailures: isOver ? 0 : threadFailures,
  };
  const {agent} = draft.projectOf(claim).workflow.settings;
  const limit = limitReached(draft.counters(key), failures, agent);
  if (limit !== null) return hold(draft, key, failed, limit, null, failure.message);
  scheduleRetry(draft, key, failed, {
    kind: 'failure',
    attempt: failures,
    dueAt: draft.at + backoffMs(failures, agent.maxRetryBackoffMs),
    lastError: `${failure.code}: ${failure.message}`,
  });
}
