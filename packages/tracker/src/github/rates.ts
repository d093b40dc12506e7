import type {ClassifyErrors} from '../http/graphql.ts';
import type {Rates} from '../http/limit.ts';
import {excerpt, type HttpHeaders, type HttpResponse, type Verdict} from '../http/verdict.ts';

/** REST counts requests, GraphQL points; each has a bucket of its own, refilled once an hour. */
export function readRates(headers: HttpHeaders): Rates {
  const limit = toNumber(headers['x-ratelimit-limit']);
  const remaining = toNumber(headers['x-ratelimit-remaining']);
  const reset = toNumber(headers['x-ratelimit-reset']);
  if (limit === null || remaining === null) return {};
  const window = {limit, remaining, resets_at: toInstant(reset)};
  switch (headers['x-ratelimit-resource'] ?? 'core') {
    case 'core':
      return {requests: window};
    case 'graphql':
      return {complexity: {...window, last_cost: null}};
    default:
      return {};
  }
}

/**
 * A rate limit comes as 403 as often as 429; only its headers distinguish it from missing rights.
 */
export function judge({status, headers, body}: HttpResponse): Verdict | null {
  if (status === 404) {
    const advice = 'check tracker.provider.repo and the permissions of the token';
    return {
      code: 'tracker_status',
      message: `has no such resource, or the token cannot see it (404); ${advice}`,
    };
  }
  if (status !== 403 && status !== 429) return null;
  const isLimited =
    status === 429 ||
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /rate limit|abuse detection/i.test(body);
  if (isLimited) {
    return {code: 'tracker_rate_limited', message: `limits the rate of requests (${status})`};
  }
  const said = excerpt(messageIn(body));
  return {code: 'tracker_auth', message: `refuses that to the token (${status}): ${said}`};
}

export const classify: ClassifyErrors = (errors) => {
  const types = new Set(errors.map(({type}) => type?.toUpperCase()));
  if (types.has('RATE_LIMITED')) return 'tracker_rate_limited';
  if (types.has('FORBIDDEN') || types.has('INSUFFICIENT_SCOPES')) return 'tracker_auth';
  return null;
};

function messageIn(body: string): string {
  try {
    const {message} = JSON.parse(body) ?? {};
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}

function toNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function toInstant(seconds: number | null): string | null {
  if (seconds === null) return null;
  const at = new Date(seconds * 1_000);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
