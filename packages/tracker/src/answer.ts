/** Failures of a tracker, for every provider. */
export type TrackerFailureCode =
  | 'unsupported_tracker_kind'
  | 'invalid_tracker_config'
  | 'missing_tracker_secret'
  /** The tracker could not be reached, or not in time. */
  | 'tracker_request'
  /** The tracker answered with an error. */
  | 'tracker_status'
  /** The tracker's answer does not have the documented form. */
  | 'tracker_response'
  | 'tracker_pagination'
  | 'tracker_rate_limited'
  | 'tracker_auth';

export interface TrackerFailure {
  readonly code: TrackerFailureCode;
  /** For people: what, where, and what to do. Never holds a secret. */
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** Records that were left out of an answer: how many, and the first few of them. */
export interface TrackerWarning {
  readonly code: 'malformed_records';
  readonly count: number;
  readonly examples: readonly string[];
}

export interface Answered<T> {
  readonly ok: true;
  readonly value: T;
  readonly warnings: readonly TrackerWarning[];
}

/** Plain data, because it crosses a thread boundary that keeps nothing of an error but its text. */
export type Answer<T> = Answered<T> | {readonly ok: false; readonly failure: TrackerFailure};

export function answer<T>(value: T, warnings: readonly TrackerWarning[] = []): Answered<T> {
  return {ok: true, value, warnings};
}

/** A failure thrown inside an adapter; `answering` turns it into data at the boundary. */
export class TrackerProblem extends Error {
  readonly failure: TrackerFailure;

  constructor(failure: TrackerFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'TrackerProblem';
    this.failure = failure;
  }
}

/**
 * Runs one call of an adapter. Expected failures become data; a bug of our own still rejects, so
 * that it is reported as one.
 */
export async function answering<T>(
  signal: AbortSignal,
  call: () => Promise<Answered<T>> | Answered<T>,
): Promise<Answer<T>> {
  try {
    signal.throwIfAborted();
    return await call();
  } catch (error) {
    if (error instanceof TrackerProblem) return {ok: false, failure: error.failure};
    if (signal.aborted) return failed('tracker_request', `the call was aborted: ${signal.reason}`);
    if (isSystemError(error)) return failed('tracker_request', error.message);
    throw error;
  }
}

export function failed(code: TrackerFailureCode, message: string): Answer<never> {
  return {ok: false, failure: {code, message}};
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
