import type {RateLimits, RateLimitWindow} from '@symphony-supervisor/protocol';
import {type Loose, loose, numberOrNull, text} from '@symphony-supervisor/protocol/transcript';

const MINUTES: Readonly<Record<string, number>> = {five_hour: 300};
const WEEK_MINUTES = 10_080;

/** The windows known so far with the one that this message tells of; only subscriptions have any. */
export function mergeLimits(known: RateLimits | null, message: Loose): RateLimits | null {
  const info = loose(message.rate_limit_info);
  const name = text(info.rateLimitType);
  if (name === '') return known;
  const others = (known?.windows ?? []).filter((window) => window.name !== name);
  const used = numberOrNull(info.utilization);
  const window: RateLimitWindow = {
    name,
    // A share from 0 to 1; a limit that refuses us is used up, whatever its share.
    used_percent: info.status === 'rejected' ? 100 : Math.round((used ?? 0) * 100),
    window_minutes: MINUTES[name] ?? (name.startsWith('seven_day') ? WEEK_MINUTES : null),
    resets_at: instant(numberOrNull(info.resetsAt)),
  };
  return {windows: [...others, window]};
}

function instant(seconds: number | null): string | null {
  const date = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
