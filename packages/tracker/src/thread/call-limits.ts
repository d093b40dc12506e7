/** How long a call may take before it is cut off. A list may need many requests, all else is one. */
export const CALL_LIMITS_MS = {request: 30_000, list: 120_000} as const;
