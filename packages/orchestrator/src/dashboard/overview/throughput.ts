import type {RunView} from '@symphony-supervisor/protocol';
import {outcomeTone, type Tone} from '../../view/words.ts';

export interface Bucket {
  readonly from: number;
  readonly counts: Readonly<Record<Tone, number>>;
  readonly tokens: number;
}

export interface Throughput {
  readonly title: string;
  readonly bucketMs: number;
  readonly buckets: readonly Bucket[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Widest first. */
const WINDOWS = [
  {title: 'last 24 hours', bucketMs: HOUR, buckets: 24},
  {title: 'last 6 hours', bucketMs: 15 * MINUTE, buckets: 24},
  {title: 'last 2 hours', bucketMs: 5 * MINUTE, buckets: 24},
  {title: 'last 24 minutes', bucketMs: MINUTE, buckets: 24},
] as const;

/**
 * Runs by when they ended. The list of runs is limited: a window beyond its end would show a quiet past that
 * never was, so a busy supervisor gets a narrower one.
 */
export function throughput(runs: readonly RunView[], limit: number, now: number): Throughput {
  const oldest = Math.min(...runs.map(({ended_at: at}) => Date.parse(at)));
  const isCut = runs.length >= limit;
  const fits = WINDOWS.find(({bucketMs, buckets}) => !isCut || oldest <= now - bucketMs * buckets);
  const {title, bucketMs, buckets: size} = fits ?? WINDOWS[3];
  const end = (Math.floor(now / bucketMs) + 1) * bucketMs;
  const start = end - size * bucketMs;
  const buckets = Array.from({length: size}, (_, index) => ({
    from: start + index * bucketMs,
    counts: {good: 0, bad: 0, warn: 0, plain: 0},
    tokens: 0,
  }));
  for (const run of runs) {
    const bucket = buckets[Math.floor((Date.parse(run.ended_at) - start) / bucketMs)];
    if (bucket === undefined) continue;
    bucket.counts[outcomeTone(run.outcome)]++;
    bucket.tokens += run.tokens.total_tokens;
  }
  return {title, bucketMs, buckets};
}

/** Tokens a minute over the last points of a growing total; null while there is nothing to compare. */
export function tokenRate(
  points: readonly {readonly at: number; readonly total: number}[],
  now: number,
): number | null {
  const WINDOW_MS = 2 * MINUTE;
  const recent = points.filter(({at}) => at >= now - WINDOW_MS);
  const first = recent[0];
  const last = points.at(-1);
  if (points.length === 0 || last === undefined) return null;
  if (first === undefined) return 0;
  const ms = now - first.at;
  return ms < 5000 ? null : Math.max(0, ((last.total - first.total) * MINUTE) / ms);
}
