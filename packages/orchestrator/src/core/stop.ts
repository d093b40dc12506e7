import type {StopReason} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey, Next} from './claim.ts';
import {conclude} from './conclude.ts';
import type {Draft} from './draft.ts';

type Running = Extract<Claim, {is: 'running'}>;

/** Ends a run. The first reason wins; a runner that does not exist yet is never started. */
export function stopRun(
  draft: Draft,
  key: ClaimKey,
  reason: StopReason,
  next: Next,
  afterRunMs: number | null = null,
): void {
  const claim = draft.claims.get(key);
  if (claim?.is !== 'running') return;
  draft.order(
    {do: 'clear-timer', timer: `stall ${key}`},
    {do: 'clear-timer', timer: `turn-end ${key}`},
  );
  draft.put(key, {...toStopping(claim), reason, next, step: 'runner'});
  if (hasRunner(claim)) draft.order({do: 'stop-run', runId: claim.run.id, reason, afterRunMs});
  else conclude(draft, key);
}

export function toStopping(
  claim: Running,
): Omit<Extract<Claim, {is: 'stopping'}>, 'next' | 'step'> {
  return {...claim, is: 'stopping', outcome: null, reason: null};
}

export function hasRunner({run}: Running): boolean {
  return run.step === 'forking' || run.step === 'live';
}
