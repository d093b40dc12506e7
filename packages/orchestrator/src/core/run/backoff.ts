const FIRST_MS = 10_000;

/** 10, 20, 40, 80, 160 s, …: by consecutive failures, never by runs, and never beyond the limit. */
export function backoffMs(attempt: number, maxMs: number): number {
  // The exponent is bounded so that the product stays a number; no limit is anywhere near it.
  return Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 30), maxMs);
}

/** Delay before the continuation of a clean run whose issue is still active. */
export const CONTINUATION_MS = 1000;

/** Delay before a busy workspace is tried again. */
export const BUSY_MS = 10_000;
