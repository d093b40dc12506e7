import type {StopReason} from '@symphony-supervisor/protocol';

/** When its supervisor is gone nobody waits for a run any more, so its last hook gets no more than this. */
const AFTER_RUN_WITHOUT_SUPERVISOR_MS = 10_000;

/** Told once to stop; the first reason wins, later ones can only shorten what is left. */
export class StopSignal {
  readonly #controller = new AbortController();
  #reason: StopReason | null = null;
  #afterRunMs = Number.POSITIVE_INFINITY;
  #afterRun: AbortController | null = null;

  get reason(): StopReason | null {
    return this.#reason;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(reason: StopReason, afterRunMs: number = Number.POSITIVE_INFINITY): void {
    this.#reason ??= reason;
    this.#afterRunMs = Math.min(this.#afterRunMs, afterRunMs);
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
    this.stop('interrupted', AFTER_RUN_WITHOUT_SUPERVISOR_MS);
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
    awaited.catch(() => {}); // it may fail when nobody listens any more
    try {
      return await Promise.race([awaited, stopped]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #limitAfterRun(): void {
    const afterRun = this.#afterRun;
    if (afterRun === null || !Number.isFinite(this.#afterRunMs)) return;
    setTimeout(() => afterRun.abort(new Stopped()), this.#afterRunMs).unref();
  }
}

/** Not a failure: somebody decided it, and `StopSignal.reason` says what. */
export class Stopped extends Error {
  constructor() {
    super('the run was stopped');
    this.name = 'Stopped';
  }
}
