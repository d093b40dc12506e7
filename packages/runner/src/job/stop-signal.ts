import type {StopReason} from '@symphony-supervisor/protocol';

/** Time limit of the last hook when the supervisor is gone. */
const AFTER_RUN_WITHOUT_SUPERVISOR_MS = 10_000;
/** Of the time that is left, a step of the ending gets this share: the steps after it need some, too. */
const STEP_SHARE = 1 / 4;
/** Also when no time is left: a process that is asked to end needs a moment to release its locks. */
const SHORTEST_STEP_MS = 100;

/** Told once to stop; the first reason wins, later ones can only shorten what is left. */
export class StopSignal {
  readonly #controller = new AbortController();
  #reason: StopReason | null = null;
  /** When all of the run has to be over, `after_run` included. */
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

  /** For `after_run`, which begins now: cut off when its time is over, also if that is told later. */
  afterRunCutOff(): AbortSignal {
    this.#afterRun = new AbortController();
    this.#limitAfterRun();
    return this.#afterRun.signal;
  }

  supervisorIsGone(): void {
    this.#afterRunMs = AFTER_RUN_WITHOUT_SUPERVISOR_MS;
    this.stop('interrupted');
  }

  /** How long one step of the ending may take: as long as it is used to, or less where time is short. */
  stepLimit(usualMs: number): number {
    return Math.min(usualMs, Math.max(this.#leftMs() * STEP_SHARE, SHORTEST_STEP_MS));
  }

  /** What is awaited, or the end of waiting for it. */
  async orStopped<T>(awaited: Promise<T>): Promise<T> {
    const {signal} = this;
    let onAbort = (): void => {};
    const stopped = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, {once: true});
    });
    awaited.catch(() => {}); // it may fail after the last listener is gone
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

/** Not a failure: the host or an operator decided it, and `StopSignal.reason` says what. */
export class Stopped extends Error {
  constructor() {
    super('the run was stopped');
    this.name = 'Stopped';
  }
}
