import type {TrackerBudget} from '@symphony-supervisor/protocol';
import type {TrackerFailureCode} from '../answer.ts';

type Window = NonNullable<TrackerBudget['requests']>;
type Points = NonNullable<TrackerBudget['complexity']>;

/** What requests come to, as the budget counts them. */
const OUTCOMES = {
  tracker_request: 'request',
  tracker_status: 'status',
  tracker_response: 'response',
  tracker_rate_limited: 'rate_limited',
  tracker_auth: 'auth',
} as const satisfies Partial<Record<TrackerFailureCode, string>>;
type Outcome = 'ok' | (typeof OUTCOMES)[keyof typeof OUTCOMES];

/** What the headers of one answer say about the provider's limits. */
export interface Rates {
  readonly requests?: Window;
  readonly complexity?: Points;
}

/** Where the provider says "too much" and not for how long. */
const DEFAULT_WAIT_MS = 60_000;
/** Both ends: a clock that is off, or a header that is nonsense, must not stop a project for days. */
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_600_000;

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
  #rates: Rates = {};
  #notBefore = 0;

  count(outcome: TrackerFailureCode | null): void {
    this.#made[outcome === null ? 'ok' : toOutcome(outcome)] += 1;
  }

  /** One that was counted as good is found to be something else. */
  amend(outcome: TrackerFailureCode): void {
    this.#made.ok -= 1;
    this.#made[toOutcome(outcome)] += 1;
  }

  /** What an answer does not mention stays as it was. */
  note(rates: Rates): void {
    this.#rates = {...this.#rates, ...rates};
    const resets = this.#exhausted();
    if (resets !== null && resets > Date.now()) this.defer(resets - Date.now());
  }

  /** No request for so long; without a number, until what is used up is refilled. */
  defer(waitMs: number | null): number {
    const now = Date.now();
    const resets = this.#exhausted();
    const wanted = waitMs ?? (resets !== null && resets > now ? resets - now : DEFAULT_WAIT_MS);
    const bounded = Math.min(Math.max(wanted, MIN_WAIT_MS), MAX_WAIT_MS);
    this.#notBefore = Math.max(this.#notBefore, now + bounded);
    return this.waitMs();
  }

  /** How long until the next request is welcome: 0 is now. Bounded, even if the clock is set back. */
  waitMs(): number {
    const left = this.#notBefore - Date.now();
    if (left > MAX_WAIT_MS) this.#notBefore = 0;
    return left > MAX_WAIT_MS ? 0 : Math.max(0, left);
  }

  budget(): TrackerBudget {
    const isWaiting = this.waitMs() > 0;
    return {
      made: {...this.#made},
      requests: this.#rates.requests ?? null,
      complexity: this.#rates.complexity ?? null,
      not_before: isWaiting ? new Date(this.#notBefore).toISOString() : null,
    };
  }

  #exhausted(): number | null {
    const {requests, complexity} = this.#rates;
    const resets = [requests, complexity].flatMap((window) =>
      window?.remaining === 0 && window.resets_at !== null ? Date.parse(window.resets_at) : [],
    );
    return resets.length === 0 ? null : Math.max(...resets);
  }
}

/** A provider may give an answer a meaning that is about no answer; then it is not what was promised. */
function toOutcome(code: TrackerFailureCode): Outcome {
  return code in OUTCOMES ? OUTCOMES[code as keyof typeof OUTCOMES] : 'response';
}
