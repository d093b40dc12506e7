import type {ClaimKey, Ending, Running} from '../claim.ts';
import type {Draft} from '../draft.ts';

/** A newer read has replaced this one, and may lack what is decided here: the issue is read again. */
export function askAgain(draft: Draft, key: ClaimKey, {run, issue}: Running | Ending): void {
  draft.order({do: 'read-issue', key, runId: run.id, issue});
}
