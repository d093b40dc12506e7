import {type FailureCode, type RateLimits, RunFailure} from '@symphony-supervisor/protocol';
import {type Loose, list, numberOrNull, text} from '@symphony-supervisor/protocol/transcript';
import {refusalOf} from '../start/refusal.ts';

/** Claude Code's names for what the model's server said; all others may pass, and are tried again. */
const BY_ERROR: Readonly<Record<string, FailureCode>> = {
  ...{authentication_failed: 'unauthorized', oauth_org_not_allowed: 'unauthorized'},
  ...{account_on_hold: 'unauthorized', verification_required: 'unauthorized'},
  cloud_credential_error: 'unauthorized',
  model_not_found: 'agent_incompatible',
  billing_error: 'usage_limit',
};
const BY_STATUS: Readonly<Record<number, FailureCode>> = {
  ...{401: 'unauthorized', 403: 'unauthorized', 404: 'agent_incompatible'},
};
const ABORTED = ['aborted_tools', 'aborted_streaming'];

/** What happened in a turn beside its result. */
export interface TurnNotes {
  /** Of the last message that the program itself put in the model's place. */
  readonly error: string | null;
  readonly retries: number;
  readonly limits: RateLimits | null;
}

/** What a turn failed by; null if it was completed. A failed turn may call itself a success. */
export function verdictOf(result: Loose, notes: TurnNotes): RunFailure | null {
  const reason = text(result.terminal_reason);
  if (ABORTED.includes(reason)) {
    return new RunFailure('turn_cancelled', 'the turn was interrupted, and not by us');
  }
  if (result.is_error !== true && result.subtype === 'success') return null;
  if (text(result.startup_failure_reason) !== '') return refusalOf(result);
  const code = codeOf(result, reason, notes);
  const resetsAt = code === 'usage_limit' ? resetOf(notes.limits) : null;
  return new RunFailure(code, messageOf(result), resetsAt === null ? {} : {resetsAt});
}

function codeOf(result: Loose, reason: string, notes: TurnNotes): FailureCode {
  if (reason === 'prompt_too_long') return 'context_window_exceeded';
  const status = numberOrNull(result.api_error_status);
  if (notes.error === 'rate_limit' || status === 429) return limitCode(notes);
  const byError = notes.error === null ? undefined : BY_ERROR[notes.error];
  return byError ?? (status === null ? undefined : BY_STATUS[status]) ?? 'turn_failed';
}

/** A limit that is refilled in seconds is waited for, and told again and again; one for hours is told at once. */
function limitCode({retries, limits}: TurnNotes): FailureCode {
  const isUsedUp = (limits?.windows ?? []).some(({used_percent}) => used_percent >= 100);
  return isUsedUp || retries === 0 ? 'usage_limit' : 'turn_failed';
}

function messageOf(result: Loose): string {
  const said = [text(result.result), ...list(result.errors).map(text)].filter((one) => one !== '');
  return said.join('; ') || `the turn failed: ${text(result.subtype) || 'without a reason'}`;
}

function resetOf(limits: RateLimits | null): string | null {
  const usedUp = (limits?.windows ?? []).filter((window) => window.used_percent >= 100);
  return (
    usedUp
      .flatMap(({resets_at}) => resets_at ?? [])
      .sort()
      .at(-1) ?? null
  );
}
