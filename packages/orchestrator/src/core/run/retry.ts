import type {Failure} from '@symphony-supervisor/protocol';
import {
  type Claim,
  type ClaimKey,
  commonOf,
  type Dismissed,
  type Ending,
  type Held,
  type Retrying,
  type Running,
  undeliveredRun,
} from '../claim.ts';
import type {Draft} from '../draft.ts';
import {BUSY_MS, backoffMs, CONTINUATION_MS} from './backoff.ts';

// Every way in which an issue runs again: the attempt number of its next run, when it is due, and its wait
// reason. Whether it runs again or is held is decided before.

type Plan = Pick<Retrying, 'kind' | 'attempt' | 'dueAt' | 'lastError'> &
  Partial<Pick<Retrying, 'waitsFor' | 'counts'>>;

/** A newer retry replaces an older one, and so does its timer. */
export function scheduleRetry(draft: Draft, key: ClaimKey, claim: Claim, plan: Plan): void {
  draft.put(key, retrying(claim, plan));
  if (!draft.state.isShuttingDown) {
    draft.order({do: 'set-timer', timer: `retry ${key}`, at: plan.dueAt});
  }
}

function retrying(claim: Claim, plan: Plan): Retrying {
  return {is: 'retrying', ...commonOf(claim), waitsFor: null, counts: true, ...plan};
}

/** A late timer of a replaced retry finds that it is not due. */
export function onRetryDue(draft: Draft, claim: Claim): void {
  if (claim.is === 'retrying' && claim.dueAt <= draft.at) draft.refill();
}

/** The effect of a failure: one more failure, and perhaps the end of the conversation. */
export function withFailure(claim: Ending, failure: Failure): Ending {
  const threadFailures = claim.thread === null ? 0 : claim.threadFailures + 1;
  const isOver = failure.code === 'context_window_exceeded' || threadFailures >= 2;
  return {
    ...claim,
    failures: claim.failures + 1,
    thread: isOver ? null : claim.thread,
    threadFailures: isOver ? 0 : threadFailures,
  };
}

/** The next attempt, by backoff. `claim` already includes the failure. */
export function retryAfterFailure(
  draft: Draft,
  key: ClaimKey,
  claim: Ending,
  failure: Failure,
): void {
  const {maxRetryBackoffMs} = draft.projectOf(claim).workflow.settings.agent;
  scheduleRetry(draft, key, claim, {
    kind: 'failure',
    attempt: claim.failures,
    dueAt: draft.at + backoffMs(claim.failures, maxRetryBackoffMs),
    lastError: `${failure.code}: ${failure.message}`,
  });
}

/** Not a failure of the issue, so not an attempt: the host, or a busy workspace. */
export function retryWithoutAttempt(
  draft: Draft,
  key: ClaimKey,
  claim: Ending,
  failure: Failure,
): void {
  scheduleRetry(draft, key, claim, {
    kind: claim.run.retry ?? 'resume',
    attempt: claim.run.attempt,
    dueAt: draft.at + (failure.code === 'workspace_busy' ? BUSY_MS : 0),
    lastError: failure.message,
    waitsFor: failure.message,
  });
}

/** After a run that changed nothing the next one would hardly do better: it waits as after a failure. */
export function continueAfterRun(draft: Draft, key: ClaimKey, claim: Ending): void {
  const {maxRetryBackoffMs} = draft.projectOf(claim).workflow.settings.agent;
  const isIdle = claim.outcome === 'no_change';
  const delayMs = isIdle
    ? backoffMs(draft.counters(key).idleRuns, maxRetryBackoffMs)
    : // After a late delivery there is no slot to keep.
      claim.run.step === 'over'
      ? 0
      : CONTINUATION_MS;
  scheduleRetry(draft, key, claim, {
    kind: 'continuation',
    attempt: 1,
    dueAt: draft.at + delayMs,
    lastError: null,
    // A slot is reserved for a second only.
    waitsFor: isIdle ? 'the last run changed nothing' : null,
  });
}

/** The same attempt continues after the restart, or because its issue was reopened. */
export function resumeRun(draft: Draft, key: ClaimKey, claim: Ending): void {
  const {run} = claim;
  const hasBegun = run.step !== 'reading' && run.step !== 'marking';
  scheduleRetry(draft, key, claim, {
    kind: 'resume',
    attempt: run.attempt,
    dueAt: draft.at,
    lastError: run.lastError,
    // A clean shutdown: the run that continues is still the same one, if it had begun.
    counts: run.counts && !hasBegun,
  });
}

/** The same attempt continues. It was killed rather than shut down, so its next runner counts as a separate run. */
export function cutOffRun(claim: Running, at: number): Retrying {
  const {attempt, lastError} = claim.run;
  const undelivered = undeliveredRun(claim.run);
  return retrying({...claim, undelivered}, {kind: 'resume', attempt, dueAt: at, lastError});
}

/**
 * Due now, with counters reset to zero: its delivery if one is pending, else its agent, in its
 * conversation if it has one.
 */
export function retryAfterHold(draft: Draft, key: ClaimKey, claim: Held | Dismissed): void {
  const plan: Pick<Plan, 'kind' | 'attempt'> =
    claim.thread === null || claim.undelivered !== null
      ? {kind: 'resume', attempt: null}
      : {kind: 'continuation', attempt: 1};
  const forgiven = {...claim, failures: 0, threadFailures: 0};
  scheduleRetry(draft, key, forgiven, {...plan, dueAt: draft.at, lastError: null});
}

/** An operator skips the delay. */
export function retryAtOnce(draft: Draft, key: ClaimKey, claim: Retrying): void {
  draft.put(key, {...claim, dueAt: draft.at});
  draft.order({do: 'set-timer', timer: `retry ${key}`, at: draft.at});
}

/**
 * Reserved, but not started: a retry is restored, anything else is released. It is not due again before the
 * next tick, otherwise an unreachable tracker would be called without end.
 */
export function putBack(draft: Draft, key: ClaimKey, claim: Running, why: string): void {
  if (isFresh(claim)) return draft.drop(key);
  const {intervalMs} = draft.projectOf(claim).workflow.settings.polling;
  const {retry, attempt, lastError, counts} = claim.run;
  const dueAt = draft.at + intervalMs;
  const kind = retry ?? 'resume';
  scheduleRetry(draft, key, claim, {kind, attempt, dueAt, lastError, waitsFor: why, counts});
}

/** Nothing is recorded for it yet, so a release loses nothing. */
function isFresh({run, thread, workspace, failures, messages}: Running): boolean {
  return (
    run.retry === null &&
    run.attempt === null &&
    messages.length === 0 &&
    thread === null &&
    workspace === null &&
    failures === 0
  );
}
