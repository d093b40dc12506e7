import type {RateLimits} from '@symphony-supervisor/protocol';
import type {RateLimitsNotice} from './wire/messages.ts';

/** The latest, merged: a notice that leaves out a window does not take back what was known of it. */
export function mergeRateLimits(known: RateLimits | null, notice: RateLimitsNotice): RateLimits {
  const {limitId, primary, secondary} = notice.rateLimits;
  return {
    limit_id: limitId ?? known?.limit_id ?? null,
    primary: windowOf(primary) ?? known?.primary ?? null,
    secondary: windowOf(secondary) ?? known?.secondary ?? null,
  };
}

function windowOf(window: RateLimitsNotice['rateLimits']['primary']): RateLimits['primary'] {
  if (window === null || window === undefined) return null;
  return {
    used_percent: window.usedPercent,
    window_minutes: window.windowDurationMins ?? null,
    resets_at: instant(window.resetsAt),
  };
}

function instant(seconds: number | null | undefined): string | null {
  const date = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
