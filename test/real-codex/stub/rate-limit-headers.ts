export interface LimitWindow {
  readonly usedPercent: number;
  readonly windowMinutes: number;
  /** Unix seconds. */
  readonly resetsAt: number;
}

/** How the model's server tells of its limits; Codex passes it on as `account/rateLimits/updated`. */
export function rateLimitHeaders(
  primary: LimitWindow,
  secondary: LimitWindow | null = null,
): Record<string, string> {
  return {
    ...windowHeaders('primary', primary),
    ...(secondary === null ? {} : windowHeaders('secondary', secondary)),
  };
}

function windowHeaders(name: string, window: LimitWindow): Record<string, string> {
  return {
    [`x-codex-${name}-used-percent`]: String(window.usedPercent),
    [`x-codex-${name}-window-minutes`]: String(window.windowMinutes),
    [`x-codex-${name}-reset-at`]: String(window.resetsAt),
  };
}
