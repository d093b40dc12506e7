import {type Issue, sameState} from '@symphony-supervisor/protocol';
import type {ClaimKey, Ending, RunnerProcess, Running} from './claim.ts';
import {startCleaning} from './clean.ts';
import {fillSlots, putBack} from './dispatch.ts';
import {blockOf} from './dispatch-block.ts';
import type {Draft} from './draft.ts';
import {blockerOf, standingOf} from './eligibility.ts';
import type {TrackerAnswer, WriteAnswer} from './event.ts';
import {hold} from './hold.ts';
import {lifetimeLimitReached} from './limits.ts';
import {release} from './release.ts';
import {armStallClock, HEARTBEAT_LIMIT_MS} from './stall.ts';

/** The read just before launch; what it says wins over everything known before. */
export function onReadBeforeLaunch(
  draft: Draft,
  key: ClaimKey,
  claim: Running,
  answer: TrackerAnswer<Issue | null>,
): void {
  if (!answer.ok) putBack(draft, key, claim, answer.message);
  else decideLaunch(draft, key, claim, answer.value);
  fillSlots(draft);
}

function decideLaunch(draft: Draft, key: ClaimKey, claim: Running, issue: Issue | null): void {
  const project = draft.projectOf(claim);
  const {tracker} = project.workflow.settings;
  const standing = standingOf(issue, tracker);
  if (issue === null || standing === 'inactive') return release(draft, key);
  const current = {...claim, issue};
  if (standing === 'terminal') return startCleaning(draft, key, current);
  const blocker = blockerOf(issue, tracker);
  const why = blocker === null ? blockOf(draft.state, project, draft.at) : `blocked by ${blocker}`;
  if (why !== null) return putBack(draft, key, current, why);

  const limit = lifetimeLimitReached(draft.book(key), project.workflow.settings.agent);
  if (limit !== null && claim.run.counts) return hold(draft, key, current, limit, null);

  const wanted = tracker.inProgressState;
  if (wanted === null || sameState(wanted, issue.state)) return fork(draft, key, current);
  draft.put(key, {...current, run: {...claim.run, step: 'marking'}});
  draft.order({do: 'write-state', key, runId: claim.run.id, issue, state: wanted});
}

/** Our own mark in the tracker. It is good to have: without it the run goes on. */
export function onMarked(draft: Draft, key: ClaimKey, claim: Running, answer: WriteAnswer): void {
  const wanted = draft.projectOf(claim).workflow.settings.tracker.inProgressState;
  if (answer === 'conflict') {
    // Somebody was faster, so what we know is old.
    draft.put(key, {...claim, run: {...claim.run, step: 'reading'}});
    draft.order({do: 'read-issue', key, runId: claim.run.id, issue: claim.issue});
    return;
  }
  if (answer === 'failed') {
    draft.order({do: 'log', level: 'warn', event: 'in_progress.failed', key});
  }
  const isMarked = answer !== 'failed' && wanted !== null;
  fork(draft, key, isMarked ? {...claim, issue: {...claim.issue, state: wanted}} : claim);
  // The state that it left may have a limit of its own.
  fillSlots(draft);
}

function fork(draft: Draft, key: ClaimKey, claim: Running): void {
  const run = {
    ...claim.run,
    step: 'forking',
    lastHeardAt: draft.at,
    heartbeatAt: draft.at,
  } as const;
  if (run.counts) draft.writeBook(key, {runs: draft.book(key).runs + 1});
  draft.put(key, {...claim, run});
  draft.order(
    {do: 'start-run', key, run},
    {do: 'set-timer', timer: `heartbeat ${key}`, at: draft.at + HEARTBEAT_LIMIT_MS},
  );
  armStallClock(draft, key);
}

export function onRunnerStarted(
  draft: Draft,
  key: ClaimKey,
  claim: Running | Ending,
  process: RunnerProcess,
): void {
  if (claim.is === 'running') {
    draft.put(key, {...claim, run: {...claim.run, step: 'live', process}});
  } else draft.put(key, {...claim, run: {...claim.run, process}});
}
