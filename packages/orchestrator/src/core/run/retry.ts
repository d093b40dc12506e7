import {type Claim, type ClaimKey, commonOf} from '../claim.ts';
import type {Draft} from '../draft.ts';

type Retrying = Extract<Claim, {is: 'retrying'}>;
type Plan = Pick<Retrying, 'kind' | 'attempt' | 'dueAt' | 'lastError'> &
  Partial<Pick<Retrying, 'waitsFor' | 'counts'>>;

/** A newer retry replaces an older one, and so does its timer. */
export function scheduleRetry(draft: Draft, key: ClaimKey, claim: Claim, plan: Plan): void {
  draft.put(key, {
    is: 'retrying',
    ...commonOf(claim),
    waitsFor: null,
    counts: true,
    ...plan,
  });
  if (!draft.state.isShuttingDown) {
    draft.order({do: 'set-timer', timer: `retry ${key}`, at: plan.dueAt});
  }
}

/** A timer that fires late for a retry which has been replaced finds that it is not due. */
export function onRetryDue(draft: Draft, claim: Claim): void {
  if (claim.is === 'retrying' && claim.dueAt <= draft.at) draft.refill();
}
