import type {TrackerBudget} from '@symphony-supervisor/protocol';
import type {TrackerFailureCode} from '../answer.ts';
import {Limit, type Rates} from './limit.ts';

/** What requests come to, as the budget counts them. */
const OUTCOMES = {
  tracker_request: 'request',
  tracker_status: 'status',
  tracker_response: 'response',
  tracker_rate_limited: 'rate_limited',
  tracker_auth: 'auth',
} as const satisfies Partial<Record<TrackerFailureCode, string>>;
type Outcome = 'ok' | (typeof OUTCOMES)[keyof typeof OUTCOMES];

/** Counts one tracker's requests, and knows from when on the next one is welcome. */
export class Meter {
  /** Every attempt counts, also the repetition of another. */
  readonly #made: Record<Outcome, number> = {
    ok: 0,
    request: 0,
    status: 0,
    response: 0,
    rate_limited: 0,
    auth: 0,
  };
  /** Of each bucket of the provider's: one that is used up says nothing about the others. */
  readonly #limits = new Map<string, Limit>();
  /** What the provider asks of all requests, whichever bucket they count against. */
  readonly #common = new Limit();

  count(outcome: TrackerFailureCode | null): void {
    this.#made[outcome === null ? 'ok' : toOutcome(outcome)] += 1;
  }

  /** One that was counted as good is found to be something else. */
  amend(outcome: TrackerFailureCode): void {
    this.#made.ok -= 1;
    this.#made[toOutcome(outcome)] += 1;
  }

  note(bucket: string, rates: Rates): void {
    this.#limit(bucket).note(rates);
  }

  /**
   * The provider wants fewer requests, for `waitMs` if it says so. If the bucket is used up, that is the reason,
   * and the other buckets go on. Otherwise the provider means all requests. Returns how long to wait.
   */
  defer(bucket: string, waitMs: number | null): number {
    const limit = this.#limit(bucket);
    if (waitMs === null && limit.isExhausted) limit.defer(null);
    else this.#common.defer(waitMs);
    return this.waitMs(bucket);
  }

  /** How long until the next request of this bucket is welcome: 0 is now. */
  waitMs(bucket: string): number {
    return Math.max(this.#common.waitMs(), this.#limit(bucket).waitMs());
  }

  budget(): TrackerBudget {
    const limits = [this.#common, ...this.#limits.values()];
    const rates = Object.assign({}, ...limits.map((limit) => limit.rates)) as Rates;
    const waiting = limits.filter((limit) => limit.waitMs() > 0);
    const notBefore = Math.max(...waiting.map((limit) => limit.notBefore));
    return {
      made: {...this.#made},
      requests: rates.requests ?? null,
      complexity: rates.complexity ?? null,
      not_before: waiting.length > 0 ? new Date(notBefore).toISOString() : null,
    };
  }

  #limit(bucket: string): Limit {
    const limit = this.#limits.get(bucket) ?? new Limit();
    this.#limits.set(bucket, limit);
    return limit;
  }
}

/** A provider may give an answer a meaning that is about no answer; then it is not what was promised. */
function toOutcome(code: TrackerFailureCode): Outcome {
  return code in OUTCOMES ? OUTCOMES[code as keyof typeof OUTCOMES] : 'response';
}
