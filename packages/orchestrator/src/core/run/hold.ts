import {type Issue, WORKER} from '@symphony-supervisor/protocol';
import {
  type Claim,
  type ClaimKey,
  commonOf,
  type Dismissed,
  type Held,
  type HoldReason,
  NO_COUNTERS,
  newCommon,
} from '../claim.ts';
import type {Standing} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import {clearTimers, release} from './release.ts';
import {retryAfterHold} from './retry.ts';

/** The issue is held. */
export function hold(
  draft: Draft,
  key: ClaimKey,
  claim: Claim,
  because: HoldReason,
  question: string | null,
  lastError: string | null = null,
): void {
  const message =
    lastError === null ? because.message : `${because.message}; the last: ${lastError}`;
  clearTimers(draft, key);
  draft.put(key, {
    is: 'held',
    ...commonOf(claim),
    because: {code: because.code, message},
    question,
    since: draft.at,
    stateThen: claim.issue.state,
  });
}

/**
 * An operator has acted: the counters of the issue are reset. An issue that is still workable and has
 * messages for its agent continues with them; a release would lose them. Undelivered work is
 * delivered first.
 */
export function releaseHold(
  draft: Draft,
  key: ClaimKey,
  claim: Held | Dismissed,
  standing: Standing,
  seen?: Issue | null,
): void {
  const hasMessages = standing === 'workable' && claim.messages.length > 0;
  const isUndelivered = standing !== 'terminal' && claim.undelivered !== null;
  if (hasMessages || isUndelivered) return endHold(draft, key, claim);
  draft.count(key, NO_COUNTERS);
  release(draft, key, seen);
}

/**
 * The issue is due now, with counters reset to zero: its delivery if one is pending, else its agent,
 * in its conversation if it has one.
 */
export function endHold(draft: Draft, key: ClaimKey, claim: Held | Dismissed): void {
  draft.count(key, NO_COUNTERS);
  retryAfterHold(draft, key, claim);
}

/**
 * The store has a claim that this version cannot read. Only the name of the issue is known, so the hold
 * ends only with an operator's restart or a terminal state, and its workspace is kept.
 */
export function unreadableClaim(
  {project, issueId, identifier}: Unreadable,
  reason: string,
  at: number,
): Held {
  const issue: Issue = {
    ...{id: issueId, identifier, title: identifier, state: 'unknown', description: null},
    ...{priority: null, branch_name: null, url: null, assignee_id: null, native_ref: null},
    ...{labels: [], blocked_by: [], dispatchable: true, created_at: null, updated_at: null},
  };
  return {
    is: 'held',
    ...newCommon(project, 0, issue, 0, WORKER),
    because: {
      code: 'claim_unreadable',
      message: `the stored claim cannot be read (${reason}); its text is kept in the store. Restart the issue to start over`,
    },
    question: null,
    since: at,
    stateThen: issue.state,
  };
}

export interface Unreadable {
  readonly project: string;
  readonly issueId: string;
  readonly identifier: string;
}

export function isUnreadable(claim: Claim): boolean {
  return claim.is === 'held' && claim.because.code === 'claim_unreadable';
}

/** Failures that a valid reload may have fixed. */
const MENDED_BY_RELOAD: readonly HoldReason['code'][] = [
  ...(['template_parse_error', 'template_render_error'] as const),
  ...(['agent_not_found', 'agent_incompatible', 'invalid_workspace_cwd'] as const),
  ...(['delivery_failed', 'untrusted_repository'] as const),
];

export function isMendedByReload(claim: Held): boolean {
  return MENDED_BY_RELOAD.includes(claim.because.code);
}
