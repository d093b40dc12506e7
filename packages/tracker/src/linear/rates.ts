import type {Rates} from '../http/limit.ts';
import type {HttpHeaders} from '../http/verdict.ts';

/** Two buckets, of requests and of points; every answer reports both. */
export function readRates(headers: HttpHeaders): Rates {
  const requests = window(headers, 'x-ratelimit-requests');
  const complexity = window(headers, 'x-ratelimit-complexity');
  const cost = number(headers['x-complexity']);
  return {
    ...(requests === null ? {} : {requests}),
    ...(complexity === null ? {} : {complexity: {...complexity, last_cost: cost}}),
  };
}

function window(headers: HttpHeaders, name: string) {
  const limit = number(headers[`${name}-limit`]);
  const remaining = number(headers[`${name}-remaining`]);
  const resets = number(headers[`${name}-reset`]);
  if (limit === null || remaining === null) return null;
  return {limit, remaining: Math.floor(remaining), resets_at: toTime(resets)};
}

function number(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

/** Milliseconds since 1970, and no further ahead than a date can be. */
function toTime(ms: number | null): string | null {
  const date = new Date(ms ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
