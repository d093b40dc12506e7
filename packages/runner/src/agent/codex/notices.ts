import type {ProgressKeeper} from '../progress.ts';
import {observe} from './observe.ts';
import {mergeRateLimits} from './rate-limits.ts';
import {usageOf} from './tokens.ts';
import {RateLimitsNotice, TokenUsageNotice} from './wire/messages.ts';

/** Takes account of a notification, other than one with streamed text. Says whether it proves life. */
export function takeNotice(
  method: string,
  params: Record<string, unknown>,
  progress: ProgressKeeper,
  model: string | null,
): boolean {
  if (method === 'thread/tokenUsage/updated') {
    const notice = TokenUsageNotice.safeParse(params);
    if (notice.success) progress.meter.total(notice.data.threadId, usageOf(notice.data), model);
  } else if (method === 'account/rateLimits/updated') {
    const notice = RateLimitsNotice.safeParse(params);
    if (notice.success) progress.limits(mergeRateLimits(progress.rateLimits, notice.data));
  }
  const observation = observe(method, params);
  progress.heard(observation);
  return observation.isSignOfLife;
}
