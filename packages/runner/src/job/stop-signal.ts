import type {StopReason} from '@symphony-supervisor/protocol';

/** Time limit of the last hook when the supervisor is gone. */
const AFTER_RUN_WITHOUT_SUPERVISOR_MS = 10_000;
/** Each step of the ending gets this share of the remaining time: later steps need some, too. */
const STEP_SHARE = 1 / 4;
/** Also when no time is left: a process that is asked to end needs a moment to release its locks. */
const SHORTEST_STEP_MS = 100;

/** A single stop; the first reason wins, later calls can only shorten the remaining time. */
export class StopSignal {
  readonly #controller = new AbortController();
  #reason: StopReason | null = null;
  /** When the whole run must have ended, including `after_run`. */
  #endBy = Number.POSITIVE_INFINITY;
  #afterRunMs = Number.POSITIVE_INFINITY;
  #afterRun: AbortController | null = null;

  get reason(): StopReason | null {
    return this.#reason;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(reason: StopReason, withinMs: number = Number.POSITIVE_INFINITY): void {
    this.#reason ??= reason;
    this.#endBy = Math.min(this.#endBy, performance.now() + withinMs);
    this.#controller.abort(new Stopped());
    this.#limitAfterRun();
  }

  /** For `after_run`, which begins now: aborted at its deadline, also if that is set later. */
  afterRunCutOff(): AbortSignal {
    this.#afterRun = new AbortController();
    this.#limitAfterRun();
    return this.#afterRun.signal;
  }

  supervisorIsGone(): void {
    this.#afterRunMs = AFTER_RUN_WITHOUT_SUPERVISOR_MS;
    this.stop('interrupted');
  }

  /** Time limit of one step of the ending: its usual limit, or less if time is short. */
  stepLimit(usualMs: number): number {
    return Math.min(usualMs, Math.max(this.#leftMs() * STEP_SHARE, SHORTEST_STEP_MS));
  }

  /** The awaited value, or the end of the wait. */
  async orStopped<T>(awaited: Promise<T>): Promise<T> {
    const {signal} = this;
    let onAbort = (): void => {};
    const stopped = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, {once: true});
    });
    awaited.catch(() => {}); // it may fail after the last listener was removed
    try {
      return await Promise.race([awaited, stopped]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #leftMs(): number {
    return Math.max(0, this.#endBy - performance.now());
  }

  #limitAfterRun(): void {
    const afterRun = this.#afterRun;
    const limitMs = Math.min(this.#afterRunMs, this.#leftMs());
    if (afterRun === null || !Number.isFinite(limitMs)) return;
    setTimeout(() => afterRun.abort(new Stopped()), limitMs).unref();
  }
}

/** Not a failure: the host or an operator decided it, and `StopSignal.reason` has the reason. */
export class Stopped extends Error {
  constructor() {
    super('the run was stopped');
    this.name = 'Stopped';
  }
}
