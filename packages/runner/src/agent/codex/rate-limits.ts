import type {RateLimits, RateLimitWindow} from '@symphony-supervisor/protocol';
import type {RateLimitsNotice} from './wire/messages.ts';

const NAMES = ['primary', 'secondary'] as const;

/** The latest, merged: a notice that leaves out a window does not take back what was known of it. */
export function mergeRateLimits(known: RateLimits | null, notice: RateLimitsNotice): RateLimits {
  const windows = NAMES.flatMap((name): RateLimitWindow[] => {
    const window = notice.rateLimits[name];
    const former = known?.windows.filter((one) => one.name === name) ?? [];
    if (window === null || window === undefined) return former;
    return [
      {
        name,
        used_percent: window.usedPercent,
        window_minutes: window.windowDurationMins ?? null,
        resets_at: instant(window.resetsAt),
      },
    ];
  });
  return {windows};
}

function instant(seconds: number | null | undefined): string | null {
  const date = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
