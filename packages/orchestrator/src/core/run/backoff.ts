const FIRST_MS = 10_000;

/** 10, 20, 40, 80, 160 s, …: by consecutive failures, never by runs, and never beyond the limit. */
export function backoffMs(attempt: number, maxMs: number): number {
  // The exponent is bounded so that the product stays a number; no limit is anywhere near it.
  return Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 30), maxMs);
}

/** A clean run whose issue is still active goes on after a breath. */
export const CONTINUATION_MS = 1000;

/** Delay before another look at a busy workspace. */
export const BUSY_MS = 10_000;
