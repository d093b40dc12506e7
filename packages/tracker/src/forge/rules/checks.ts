import type {Check} from '../pull-request.ts';

/** What the checks of one commit come to. */
export interface CheckSummary {
  readonly pending: readonly Check[];
  /** Red by the code: for the agent. */
  readonly failed: readonly Check[];
  /** Red by a lost runner: to be run again, not to be repaired. */
  readonly infrastructure: readonly Check[];
  /** Red until a person approves or decides. */
  readonly person: readonly Check[];
  /** Neither red nor green: a person or a newer run ended them. */
  readonly cancelled: readonly Check[];
  /** Nothing stands against a merge. */
  readonly isGreen: boolean;
}

export function summarizeChecks(checks: readonly Check[]): CheckSummary {
  const red = checks.filter(isRed);
  const pending = checks.filter(({state}) => state === 'pending');
  const cancelled = checks.filter(({state}) => state === 'cancelled');
  return {
    pending,
    failed: red.filter(({fault}) => fault === 'code'),
    infrastructure: red.filter(({fault}) => fault === 'infrastructure'),
    person: red.filter(({fault}) => fault === 'person'),
    cancelled,
    isGreen: red.length === 0 && pending.length === 0 && cancelled.length === 0,
  };
}

export function isRed({state}: Check): boolean {
  return state === 'failed' || state === 'timed_out';
}
