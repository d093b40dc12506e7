import type {StopReason} from '@symphony-supervisor/protocol';
import type {ClaimKey, Ending, Next, Running} from '../claim.ts';
import type {Draft} from '../draft.ts';
import {conclude} from './conclude.ts';

/** Ends a run. A runner that does not exist yet is never started. */
export function stopRun(
  draft: Draft,
  key: ClaimKey,
  claim: Running,
  reason: StopReason,
  next: Next,
  withinMs: number | null = null,
): void {
  draft.order(
    {do: 'clear-timer', timer: `stall ${key}`},
    {do: 'clear-timer', timer: `turn-end ${key}`},
  );
  const stopping: Ending = {...toStopping(claim), reason, next, step: 'runner'};
  draft.put(key, stopping);
  if (hasRunner(claim)) draft.order({do: 'stop-run', runId: claim.run.id, reason, withinMs});
  // The in-progress state is being written. A read before its end would make it look like a person's change.
  else if (claim.run.step === 'marking' && !draft.state.isShuttingDown)
    draft.put(key, {...stopping, step: 'marking'});
  else conclude(draft, key, stopping);
}

export function toStopping(claim: Running): Omit<Ending, 'next' | 'step'> {
  return {...claim, is: 'stopping', outcome: null, reason: null};
}

export function hasRunner({run}: Running): boolean {
  return run.step === 'forking' || run.step === 'live';
}
