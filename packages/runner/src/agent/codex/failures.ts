import {type FailureCode, type RateLimits, RunFailure} from '@symphony-supervisor/protocol';
import {RefusedRequest} from '../wire/peer.ts';
import type {TurnError} from './wire/messages.ts';

/** Codex's own words for what went wrong; everything that is not here may pass and is tried again. */
const BY_INFO: Readonly<Record<string, FailureCode>> = {
  contextWindowExceeded: 'context_window_exceeded',
  usageLimitExceeded: 'usage_limit',
  unauthorized: 'unauthorized',
};
const REFUSED_CREDENTIALS = [401, 403];
/** Codex checks its provider's key variable only when it first needs it, and calls that "other". */
const MISSING_KEY = /^Missing environment variable/;

export function turnFailure(
  error: TurnError | null | undefined,
  limits: RateLimits | null,
): RunFailure {
  const code = codeOf(error);
  const details = error?.additionalDetails ? ` (${error.additionalDetails})` : '';
  const message = `${error?.message ?? 'the turn failed without a reason'}${details}`;
  const resetsAt = code === 'usage_limit' ? resetOf(limits) : null;
  return new RunFailure(code, message, resetsAt === null ? {} : {resetsAt});
}

function codeOf(error: TurnError | null | undefined): FailureCode {
  const info = error?.codexErrorInfo;
  if (typeof info === 'string' && info in BY_INFO) return BY_INFO[info] ?? 'turn_failed';
  if (REFUSED_CREDENTIALS.includes(httpStatus(info) ?? 0)) return 'unauthorized';
  return MISSING_KEY.test(error?.message ?? '') ? 'unauthorized' : 'turn_failed';
}

/** `{httpConnectionFailed: {httpStatusCode: 401}}` and its siblings. */
function httpStatus(info: unknown): number | null {
  if (typeof info !== 'object' || info === null) return null;
  const [detail] = Object.values(info) as unknown[];
  if (typeof detail !== 'object' || detail === null) return null;
  const {httpStatusCode} = detail as {httpStatusCode?: unknown};
  return typeof httpStatusCode === 'number' ? httpStatusCode : null;
}

/** A used-up limit is told in prose; the time is in the windows that came before. */
function resetOf(limits: RateLimits | null): string | null {
  const usedUp = (limits?.windows ?? []).filter((window) => window.used_percent >= 100);
  const times = usedUp.flatMap(({resets_at}) => resets_at ?? []);
  return times.sort().at(-1) ?? null;
}

/** Codex speaks of all its refusals as -32600; these mean that the next issue would fare no better. */
const INCOMPATIBLE =
  /^Invalid request|unknown variant|missing field|failed to load configuration|requires experimentalApi/;

/** For the requests that open a session: which failure a refusal of one of them is. */
export function requestFailure(error: unknown): RunFailure {
  if (error instanceof RunFailure) return error;
  if (!(error instanceof RefusedRequest)) {
    const message = error instanceof Error ? error.message : String(error);
    return new RunFailure('response_error', `the agent's answer was not understood: ${message}`, {
      cause: error,
    });
  }
  const reason = error.message.slice(error.method.length + 2);
  const code = INCOMPATIBLE.test(reason) ? 'agent_incompatible' : 'response_error';
  return new RunFailure(code, `the agent refused ${error.message}`, {cause: error});
}
