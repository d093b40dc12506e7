import {
  addUsage,
  agentNamed,
  type Evidence,
  type Failure,
  isClean,
  policyOf,
  type RunOutcome,
  type RunResult,
} from '@symphony-supervisor/protocol';
import type {ClaimKey, Ending, Next, Run, Running} from '../claim.ts';
import type {Draft} from '../draft.ts';
import {kindOf, onRunJudged} from '../life/agent.ts';
import {noteTrouble} from '../life/once.ts';
import {conclude} from './conclude.ts';
import {undelivered} from './delivery.ts';
import {resultsOf} from './results.ts';
import {toStopping} from './stop.ts';

/** A runner has exited. Its issue is read once more, and only then is the next step decided. */
export function onRunnerExited(
  draft: Draft,
  key: ClaimKey,
  claim: Running | Ending,
  how: string,
): void {
  const {run} = claim;
  const ended =
    claim.is === 'stopping'
      ? claim
      : {...toStopping(claim), next: nextOf(draft, claim, how), step: 'runner' as const};
  const failure = failureOf(run, how);
  const outcome = ended.reason ?? outcomeOf(run.result);
  const after = undelivered(afterRun({...ended, outcome, step: 'reading'}, outcome));
  draft.order(
    {do: 'clear-timer', timer: `stall ${key}`},
    {do: 'clear-timer', timer: `heartbeat ${key}`},
  );
  draft.order({do: 'clear-timer', timer: `turn-end ${key}`});
  keepAccounts(draft, key, claim, outcome, failure);
  if (!isClean(outcome)) {
    const why = failure === null ? '' : `: ${failure.code}: ${failure.message}`;
    noteTrouble(draft, `${claim.issue.identifier}: ${outcome}${why}`);
  }
  const project = draft.projectOf(claim);
  onRunJudged(draft, project, kindOf(project, run.role), failure);

  // A runner that died could not run its last hook: a small job runs it, once none of its processes is left.
  if (run.result === null && claim.workspace !== null) {
    draft.put(key, {...after, step: 'finishing'});
    draft.order({do: 'finish-run', key, runId: run.id, outcome});
  } else readAgain(draft, key, after);
}

/** The last hook of a dead runner was run, or could not be run. */
export function onRunFinished(draft: Draft, key: ClaimKey, claim: Running | Ending): void {
  if (claim.is === 'stopping' && claim.step === 'finishing') readAgain(draft, key, claim);
}

export function readAgain(draft: Draft, key: ClaimKey, claim: Ending): void {
  draft.put(key, {...claim, step: 'reading'});
  // A shutdown does not wait for a tracker: the issue is read when it is resumed.
  if (draft.state.isShuttingDown) conclude(draft, key, claim);
  else draft.order({do: 'read-issue', key, runId: claim.run.id, issue: claim.issue});
}

/** By the result alone; a change of the issue in the meantime overrides it. */
function nextOf(draft: Draft, claim: Running, how: string): Next {
  const {result} = claim.run;
  if (result?.outcome === 'succeeded') return {do: 'continue'};
  const failure = failureOf(claim.run, how) ?? {code: 'runner_crashed', message: how};
  const {onInput} = agentNamed(draft.projectOf(claim).workflow, claim.run.role);
  if (failure.code === 'turn_input_required' && onInput === 'fail') return {do: 'retry', failure};
  switch (policyOf(failure.code)) {
    case 'retry':
    case 'fresh-thread':
      return {do: 'retry', failure};
    case 'host':
    case 'wait':
      return {do: 'wait', failure};
    case 'deliver':
      return {do: 'deliver', failure};
    case 'hold':
      return {do: 'hold', because: failure, question: result?.question ?? null};
  }
}

/** A clean run that certainly changed nothing is recorded as such. */
function outcomeOf(result: RunResult | null): RunOutcome {
  if (result === null) return 'failed';
  const isIdle = result.evidence !== null && !hasChanged(result.evidence);
  return result.outcome === 'succeeded' && isIdle ? 'no_change' : result.outcome;
}

function failureOf(run: Run, how: string): Failure | null {
  if (run.result !== null) return run.result.failure;
  return {code: 'runner_crashed', message: `the runner ended without a result: ${how}`};
}

/** A successful run resets the failures before it. */
function afterRun(claim: Ending, outcome: RunOutcome): Ending {
  return isClean(outcome) ? {...claim, failures: 0, threadFailures: 0} : claim;
}

function keepAccounts(
  draft: Draft,
  key: ClaimKey,
  claim: Running | Ending,
  outcome: RunOutcome,
  failure: Failure | null,
): void {
  const {run} = claim;
  const {usage} = run;
  const counters = draft.counters(key);
  // A busy workspace was not entered: waiting for it is not a run.
  const isNoRun = failure?.code === 'workspace_busy' && run.counts;
  draft.count(key, {
    runs: counters.runs - (isNoRun ? 1 : 0),
    idleRuns: idleRuns(counters.idleRuns, run.result),
  });
  const {totals} = draft.state;
  // With a clock that was set back it would have ended before it began.
  const endedAt = Math.max(draft.at, run.startedAt);
  draft.write({
    totals: {
      usage: addUsage(totals.usage, usage),
      secondsRunning: totals.secondsRunning + (endedAt - run.startedAt) / 1000,
    },
  });
  draft.order({
    do: 'record-run',
    record: {
      ...{key, runId: run.id, host: run.host, role: run.role, attempt: run.attempt},
      ...{startedAt: run.startedAt, endedAt},
      ...{outcome, failure: failure?.code ?? null, turns: run.result?.turns ?? run.turn, usage},
      results: resultsOf(claim),
    },
  });
}

function idleRuns(before: number, result: RunResult | null): number {
  if (outcomeOf(result) === 'no_change') return before + 1;
  return result?.evidence != null && hasChanged(result.evidence) ? 0 : before;
}

function hasChanged(evidence: Evidence): boolean {
  return evidence.workspace_changed || evidence.issue_changed || evidence.tools_wrote;
}
