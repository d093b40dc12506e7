/** Deadlines of calls. A list may need many requests, every other call needs one. */
export const CALL_LIMITS_MS = {request: 30_000, list: 120_000} as const;
