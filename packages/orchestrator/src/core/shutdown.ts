import type {Draft} from './draft.ts';
import {stopRun} from './stop.ts';

/** No new work; every run is asked to end, and will be gone on with after the restart. */
export function onShutdownRequested(draft: Draft, afterRunMs: number | null): void {
  draft.write({isShuttingDown: true});
  for (const [key, claim] of [...draft.claims]) {
    if (claim.is === 'running')
      stopRun(draft, key, claim, 'interrupted', {do: 'resume'}, afterRunMs);
  }
}

/** At rest when no process of ours lives any more. Said once, with the event that brought it about. */
export function exitWhenAtRest(draft: Draft): void {
  if (!draft.state.isShuttingDown) return;
  for (const claim of draft.claims.values()) {
    if (claim.is === 'running' || (claim.is === 'stopping' && claim.step === 'runner')) return;
  }
  draft.order({do: 'exit'});
}
