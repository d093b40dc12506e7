import type {Draft} from '../draft.ts';
import {stopRun} from '../run/stop.ts';

/** No new work; every run is asked to end, and is resumed after the restart. null: no time limit. */
export function onShutdownRequested(draft: Draft, withinMs: number | null): void {
  draft.write({isShuttingDown: true});
  for (const [key, claim] of [...draft.claims]) {
    if (claim.is === 'running') stopRun(draft, key, claim, 'interrupted', {do: 'resume'}, withinMs);
    // It was asked before. Its first reason stays; only the remaining time changes.
    else if (claim.is === 'stopping' && claim.step === 'runner' && withinMs !== null)
      draft.order({do: 'stop-run', runId: claim.run.id, reason: 'interrupted', withinMs});
  }
}

/** At rest when no process of the supervisor is left. */
export function exitWhenAtRest(draft: Draft): void {
  if (!draft.state.isShuttingDown) return;
  for (const claim of draft.claims.values()) {
    if (claim.is === 'running' || (claim.is === 'stopping' && claim.step === 'runner')) return;
  }
  exit(draft);
}

/** Ordered once, with the event that brought the supervisor to rest. */
export function exit(draft: Draft): void {
  if (draft.state.isExiting) return;
  draft.write({isExiting: true});
  draft.order({do: 'exit'});
}
