import {STATUS_CODES} from 'node:http';
import type {TrackerFailureCode} from '../answer.ts';

/** Lower-cased names; what came several times is joined by commas. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** UTF-8, with our credential masked if the server echoes it. */
  readonly body: string;
}

/** Why an answer is a failure. For how long to wait is read from its headers, if they say it. */
export interface Verdict {
  readonly code: TrackerFailureCode;
  /** What follows the tracker's name: `refuses the key`. */
  readonly message: string;
}

/** What a status means wherever the provider has no meaning of its own for it. */
export function judgeStatus({status, headers, body}: HttpResponse): Verdict | null {
  if (status < 300 || status === 304) return null;
  if (status === 401) {
    return {code: 'tracker_auth', message: 'refuses the key (401); renew it or give another'};
  }
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) {
    return {code: 'tracker_rate_limited', message: `limits the rate of requests (${status})`};
  }
  if (status < 400) {
    const message = `redirects to another host (${status}), which is not followed; check the endpoint`;
    return {code: 'tracker_status', message};
  }
  const said = excerpt(body);
  const text = `answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  return {code: 'tracker_status', message: said === '' ? text : `${text}: ${said}`};
}

/** Milliseconds to wait; null where the header is absent or not understood. */
export function retryAfterMs(headers: HttpHeaders): number | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const at = value === '' ? Number.NaN : Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

const SHOWN_CHARACTERS = 200;

/** One line of foreign text: enough to recognize it, without terminal control codes. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN_CHARACTERS)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
