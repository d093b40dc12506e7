import {type Issue, NO_USAGE, sameState} from '@symphony-supervisor/protocol';
import type {ClaimKey, Ending, RunnerProcess, Running} from '../claim.ts';
import type {Draft} from '../draft.ts';
import type {RunEnded} from '../effect.ts';
import type {IssueRead, WriteAnswer} from '../event.ts';
import {startCleaning} from '../life/clean.ts';
import {onRunnerExited} from '../run/exit.ts';
import {hold} from '../run/hold.ts';
import {lifetimeLimitReached, mayReadAgain} from '../run/limits.ts';
import {release} from '../run/release.ts';
import {knownOf} from '../run/results.ts';
import {putBack} from '../run/retry.ts';
import {armStallClock, HEARTBEAT_LIMIT_MS} from '../run/stall.ts';
import {askAgain} from '../tracker/read-again.ts';
import {roleBlockOf} from './dispatch-block.ts';
import {blockerOf, standingOf} from './eligibility.ts';

/** The read just before launch; its result overrides everything requested earlier. */
export function onReadBeforeLaunch(
  draft: Draft,
  key: ClaimKey,
  claim: Running,
  {answer, askedAt, counters}: IssueRead,
): void {
  draft.learnCounters(key, counters);
  if (!answer.ok) putBack(draft, key, claim, answer.message);
  else if (askedAt < claim.readAt) askAgain(draft, key, claim);
  else decideLaunch(draft, key, {...claim, readAt: askedAt}, answer.value);
  draft.refill();
}

function decideLaunch(draft: Draft, key: ClaimKey, claim: Running, issue: Issue | null): void {
  const project = draft.projectOf(claim);
  const {tracker} = project.workflow.settings;
  const standing = standingOf(issue, tracker);
  if (issue === null || standing === 'inactive') return release(draft, key, issue);
  const current = {...claim, issue};
  if (standing === 'terminal') return startCleaning(draft, key, current);
  const blocker = blockerOf(issue, tracker);
  const block = roleBlockOf(draft.state, project, claim.run.role, draft.at);
  const why = blocker === null ? block : `blocked by ${blocker}`;
  if (why !== null) return putBack(draft, key, current, why);

  const limit = lifetimeLimitReached(draft.counters(key), project.workflow.settings.agent);
  if (limit !== null && claim.run.counts) return hold(draft, key, current, limit, null);

  const wanted = tracker.inProgressState;
  if (wanted === null || sameState(wanted, issue.state)) return fork(draft, key, current);
  draft.put(key, {...current, run: {...claim.run, step: 'marking'}});
  draft.order({do: 'write-state', key, runId: claim.run.id, issue, state: wanted});
}

/** The in-progress state in the tracker is optional: the run continues without it. */
export function onMarked(draft: Draft, key: ClaimKey, claim: Running, answer: WriteAnswer): void {
  const wanted = draft.projectOf(claim).workflow.settings.tracker.inProgressState;
  if (answer === 'conflict' && mayReadAgain(claim.run)) {
    // A person changed the issue first, so the known state is outdated.
    const run = {...claim.run, step: 'reading', conflicts: claim.run.conflicts + 1} as const;
    draft.put(key, {...claim, run});
    draft.order({do: 'read-issue', key, runId: run.id, issue: claim.issue});
    return;
  }
  const hasFailed = answer === 'failed' || answer === 'conflict';
  if (hasFailed)
    draft.order({do: 'log', level: 'warn', event: 'in_progress.failed', key, reason: answer});
  const isMarked = !hasFailed && wanted !== null;
  fork(draft, key, isMarked ? {...claim, issue: {...claim.issue, state: wanted}} : claim);
  // The new state may have a limit of its own.
  draft.refill();
}

/** The clocks of a run start with its process: until then it may wait for other starts, or for the store. */
function fork(draft: Draft, key: ClaimKey, claim: Running): void {
  const run = {...claim.run, step: 'forking'} as const;
  if (run.counts) draft.count(key, {runs: draft.counters(key).runs + 1});
  draft.put(key, {...claim, run});
  if (draft.state.unreadable.has(key)) {
    // The issue starts over, and from now on its workspace belongs to a known run.
    const others = [...draft.state.unreadable].filter((other) => other !== key);
    draft.write({unreadable: new Set(others)});
  }
  draft.order({do: 'start-run', key, run});
}

/** The issue is put back as if it could not be read. This does not count as a run, and is recorded as interrupted. */
export function onNotStarted(
  draft: Draft,
  key: ClaimKey,
  claim: Running | Ending,
  why: string,
): void {
  if (claim.is !== 'running') return onRunnerExited(draft, key, claim, why);
  const {run} = claim;
  if (run.counts) draft.count(key, {runs: draft.counters(key).runs - 1});
  draft.order(
    {do: 'record-run', record: neverBegun(key, claim, draft.at)},
    {do: 'log', level: 'warn', event: 'launch.failed', key, reason: why},
  );
  putBack(draft, key, claim, why);
  draft.refill();
}

function neverBegun(key: ClaimKey, claim: Running, at: number): RunEnded {
  const {run} = claim;
  return {
    ...{key, runId: run.id, host: run.host, role: run.role, attempt: run.attempt},
    ...{startedAt: run.startedAt, endedAt: Math.max(at, run.startedAt)},
    ...{outcome: 'interrupted', failure: null, turns: 0, usage: NO_USAGE},
    results: knownOf(claim),
  };
}

export function onRunnerStarted(
  draft: Draft,
  key: ClaimKey,
  claim: Running | Ending,
  process: RunnerProcess,
): void {
  const heard = {process, lastHeardAt: draft.at, heartbeatAt: draft.at};
  if (claim.is === 'running') {
    draft.put(key, {...claim, run: {...claim.run, ...heard, step: 'live'}});
  } else draft.put(key, {...claim, run: {...claim.run, ...heard}});
  const at = draft.at + HEARTBEAT_LIMIT_MS;
  draft.order({do: 'set-timer', timer: `heartbeat ${key}`, at});
  armStallClock(draft, key);
}
