import type {Claim, ClaimKey} from './claim.ts';
import {conclude} from './conclude.ts';
import {fillSlots} from './dispatch.ts';
import type {Draft} from './draft.ts';
import {startCleaning} from './release.ts';
import type {State} from './state.ts';

/**
 * What a former life has left, made ready to go on: everything of it that ran has been ended by now.
 * Runs are resumed with their attempt and thread, retries keep what is left of their delay, holds are
 * kept, and what was being cleaned is cleaned again.
 */
export function resumed(state: State, claims: ReadonlyMap<ClaimKey, Claim>, at: number): State {
  return {
    ...state,
    claims: new Map([...claims].map(([key, claim]) => [key, resumeClaim(claim, at)])),
  };
}

function resumeClaim(claim: Claim, at: number): Claim {
  switch (claim.is) {
    case 'held':
    case 'retrying':
      return claim;
    case 'running':
      return toRetry(claim, claim.run, at);
    case 'stopping':
      if (claim.step === 'cleaning' || claim.run === null) return claim;
      return claim.next.do === 'resume' || claim.next.do === 'continue' || claim.next.do === 'retry'
        ? toRetry(claim, claim.run, at)
        : claim;
  }
}

/** Sets in motion what was taken over: every claim has a timer, a read or a small job again. */
export function onSupervisorStarted(draft: Draft): void {
  for (const [key, claim] of [...draft.claims]) {
    if (claim.is === 'retrying') {
      draft.order({do: 'set-timer', timer: `retry ${key}`, at: claim.dueAt});
    } else if (claim.is === 'stopping') takeUp(draft, key, claim);
  }
  fillSlots(draft);
}

function takeUp(draft: Draft, key: ClaimKey, claim: Extract<Claim, {is: 'stopping'}>): void {
  if (claim.step === 'cleaning') startCleaning(draft, key, claim);
  else if (claim.run === null) conclude(draft, key);
  else {
    draft.put(key, {...claim, step: 'reading'});
    draft.order({do: 'read-issue', key, runId: claim.run.id, issue: claim.issue});
  }
}

type Retrying = Extract<Claim, {is: 'retrying'}>;

function toRetry(
  {project, issue, failures, threadFailures, thread, workspacePath}: Claim,
  run: {attempt: number | null; lastError: string | null; operatorMessage: string | null},
  at: number,
): Retrying {
  return {
    is: 'retrying',
    ...{project, issue, failures, threadFailures, thread, workspacePath},
    kind: 'resume',
    attempt: run.attempt,
    dueAt: at,
    lastError: run.lastError,
    operatorMessage: run.operatorMessage,
    waitsFor: null,
    // Killed rather than shut down: a runner will be started anew, and that is a run.
    counts: true,
  };
}
