import {addUsage, NO_USAGE} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey} from '../claim.ts';
import type {Draft} from '../draft.ts';
import type {RunEnded} from '../effect.ts';
import {BUSY_MS} from '../run/backoff.ts';
import {knownOf, NO_RESULTS} from '../run/results.ts';
import {cutOffRun} from '../run/retry.ts';
import type {State, Totals} from '../state.ts';
import {confirmThenClean, startCleaning} from './clean.ts';
import {discarded} from './kept.ts';

type Stopping = Extract<Claim, {is: 'stopping'}>;

/**
 * Prepares the claims of an earlier supervisor process; all its processes have been ended by now. Runs are
 * resumed with their attempt and thread, retries keep the rest of their delay, holds are kept, what follows
 * the exit of a runner is done, and interrupted cleaning is repeated.
 */
export function resumed(state: State, claims: ReadonlyMap<ClaimKey, Claim>, at: number): State {
  // Trackers of earlier scopes were open only in the earlier process.
  // So was the clock that orders reads.
  const entries = [...claims].map(
    ([key, claim]) => [key, {...takenUp(claim, at), scope: 0, readAt: 0}] as const,
  );
  return {...state, claims: new Map(entries)};
}

/**
 * The claims of the given projects. Others stay in the store unchanged until their project is given again:
 * without its workflow the next step of an issue is unknown.
 */
export function ofProjects(
  claims: ReadonlyMap<ClaimKey, Claim>,
  names: readonly string[],
): ReadonlyMap<ClaimKey, Claim> {
  return new Map([...claims].filter(([, {project}]) => names.includes(project)));
}

function takenUp(claim: Claim, at: number): Claim {
  return claim.is === 'running' ? cutOffRun(claim, at) : claim;
}

/** Interrupted runs for the history, with everything known about them. */
export function cutOff(
  openRuns: readonly Pick<RunEnded, 'key' | 'runId' | 'host' | 'role' | 'attempt' | 'startedAt'>[],
  claims: ReadonlyMap<ClaimKey, Claim>,
  endedAt: number,
): RunEnded[] {
  return openRuns.map(({key, runId, host, role, attempt, startedAt}) => {
    const claim = claims.get(key);
    const run = claim !== undefined && 'run' in claim && claim.run?.id === runId ? claim.run : null;
    const usage = run?.usage ?? NO_USAGE;
    const told = {outcome: 'interrupted', failure: null, turns: run?.turn ?? 0, usage} as const;
    const results = run === null || claim === undefined ? NO_RESULTS : knownOf(claim);
    const times = {startedAt, endedAt: Math.max(startedAt, endedAt)};
    return {key, runId, host, role, attempt, ...times, ...told, results};
  });
}

/** Their tokens count, even if the process that should have reported them was killed. */
export function withRuns(totals: Totals, runs: readonly RunEnded[]): Totals {
  return runs.reduce(
    ({usage, secondsRunning}, run) => ({
      usage: addUsage(usage, run.usage),
      secondsRunning: secondsRunning + (run.endedAt - run.startedAt) / 1000,
    }),
    totals,
  );
}

/** Starts what was taken over: every claim has a timer, a read or a small job again. */
export function onSupervisorStarted(draft: Draft): void {
  draft.write({hasStarted: true});
  for (const [key, claim] of [...draft.claims]) {
    if (claim.is === 'retrying') {
      const dueAt = Math.min(claim.dueAt, draft.at + longestDelay(draft, claim));
      if (dueAt < claim.dueAt) draft.put(key, {...claim, dueAt});
      draft.order({do: 'set-timer', timer: `retry ${key}`, at: dueAt});
    } else if (claim.is === 'stopping') takeUp(draft, key, claim);
  }
  draft.refill();
}

/** A clock that was set back while the supervisor was down must not delay an issue for a year. */
function longestDelay(draft: Draft, claim: Claim): number {
  const {agent, polling} = draft.projectOf(claim).workflow.settings;
  return Math.max(agent.maxRetryBackoffMs, polling.intervalMs, BUSY_MS);
}

/** Continues at its step: a write with unknown result is repeated only if the read shows that it is needed. */
function takeUp(draft: Draft, key: ClaimKey, claim: Stopping): void {
  // A person may have reopened the issue while the supervisor was down.
  if (claim.run === null) {
    const isOrdered = discarded(draft, key).length > 0;
    return isOrdered ? startCleaning(draft, key, claim) : confirmThenClean(draft, key, claim);
  }
  const {run, step, outcome} = claim;
  if (step === 'finishing' && outcome !== null) {
    draft.order({do: 'finish-run', key, runId: run.id, outcome});
  } else if (step === 'delivering') {
    draft.order({do: 'deliver-work', key, runId: run.id});
  } else {
    draft.put(key, {...claim, step: 'reading'});
    draft.order({do: 'read-issue', key, runId: run.id, issue: claim.issue});
  }
}
