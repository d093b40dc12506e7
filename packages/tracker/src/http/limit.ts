import type {TrackerBudget} from '@symphony-supervisor/protocol';

type Window = NonNullable<TrackerBudget['requests']>;
type Points = NonNullable<TrackerBudget['complexity']>;

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

/** One limit of a provider: what is left of it, and from when on the next request is welcome. */
export class Limit {
  #rates: Rates = {};
  #notBefore = 0;

  get rates(): Rates {
    return this.#rates;
  }

  /** Wall-clock time; 0 if no request ever had to wait. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** What an answer does not mention stays as it was. */
  note(rates: Rates): void {
    this.#rates = {...this.#rates, ...rates};
    const resets = this.#resets();
    if (resets !== null) this.defer(resets - Date.now());
  }

  /** It is used up, and the time at which it is refilled is still to come. */
  get isExhausted(): boolean {
    return this.#resets() !== null;
  }

  /** No request for so long; without a number, until what is used up is refilled. */
  defer(waitMs: number | null): void {
    const now = Date.now();
    const resets = this.#resets();
    const wanted = waitMs ?? (resets === null ? DEFAULT_WAIT_MS : resets - now);
    const bounded = Math.min(Math.max(wanted, MIN_WAIT_MS), MAX_WAIT_MS);
    this.#notBefore = Math.max(this.#notBefore, now + bounded);
  }

  /** How long until the next request is welcome: 0 is now. Bounded, even if the clock is set back. */
  waitMs(): number {
    const left = this.#notBefore - Date.now();
    if (left > MAX_WAIT_MS) this.#notBefore = 0;
    return left > MAX_WAIT_MS ? 0 : Math.max(0, left);
  }

  #resets(): number | null {
    const {requests, complexity} = this.#rates;
    const resets = [requests, complexity].flatMap((window) =>
      window?.remaining === 0 && window.resets_at !== null ? Date.parse(window.resets_at) : [],
    );
    const latest = Math.max(...resets);
    return latest > Date.now() ? latest : null;
  }
}
