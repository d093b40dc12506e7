import {createHash} from 'node:crypto';
import type {Check, PullRequest, Review} from '../pull-request.ts';
import {type CheckSummary, isRed, summarizeChecks} from './checks.ts';
import {type Remark, type Remarks, remarksOf} from './remarks.ts';
import type {IsTrusted} from './trust.ts';

/** What the caller knows, and the forge does not. */
export interface Knowledge {
  readonly now: number;
  readonly isTrusted: IsTrusted;
  /** Our earlier pushes to that branch, the last one excluded: the forge may still show them. */
  readonly formerHeads: readonly string[];
  /** Our last push; null: none of ours. */
  readonly lastPush: string | null;
  /** When this head was first seen. */
  readonly headSeenAt: number;
  /** Checks of the tip of the base branch; null: not read. */
  readonly baseChecks: readonly Check[] | null;
}

/**
 * Something to react to. The fingerprint is the same for the same facts, also after a restart; the
 * caller reacts to each of them once.
 */
export type Finding =
  | {readonly is: 'merged'; readonly fingerprint: string; readonly sha: string | null}
  | {readonly is: 'closed'; readonly fingerprint: string}
  | {readonly is: 'conflict'; readonly fingerprint: string; readonly base: string}
  | {readonly is: 'ci'; readonly fingerprint: string; readonly failed: readonly Check[]}
  | {
      readonly is: 'review';
      readonly fingerprint: string;
      readonly changesRequested: readonly Review[];
      readonly comments: readonly Remark[];
    }
  | {readonly is: 'approved'; readonly fingerprint: string; readonly sha: string};

export type WaitReason =
  | 'fork'
  | 'former_head'
  | 'mergeability_unknown'
  | 'checks_pending'
  | 'checks_not_started'
  | 'checks_incomplete'
  | 'checks_cancelled'
  | 'infrastructure_failed'
  | 'person_needed'
  | 'base_failed'
  | 'quiet_period'
  | 'untrusted_comments'
  | 'threads_incomplete'
  | 'draft'
  | 'approved_former_head'
  | 'review_required'
  | 'blocked';

export interface Waiting {
  readonly reason: WaitReason;
  /** Names of checks, or the forge's own word. */
  readonly detail: string | null;
}

export interface Situation {
  /** In the order in which they are reacted to. Empty: the pull request waits. */
  readonly findings: readonly Finding[];
  readonly waiting: readonly Waiting[];
  /** Pushed by a person: a conversation about our own commits does not fit it any more. */
  readonly isForeignHead: boolean;
}

/** A reviewer writes several comments, one after the other. */
export const QUIET_MS = 60_000;
/** A push needs some time until its checks appear. */
export const CHECKS_START_MS = 60_000;

/** What the facts of a pull request ask for. Pure: the same facts, the same answer. */
export function situationOf(pull: PullRequest, known: Knowledge): Situation {
  const isForeignHead = known.lastPush !== null && pull.headSha !== known.lastPush;
  const over = endOf(pull);
  if (over !== null) return {findings: [over], waiting: [], isForeignHead};
  // Nothing fires for a head that we have replaced: the forge has not noticed our push yet.
  if (isForeignHead && known.formerHeads.includes(pull.headSha)) {
    return {findings: [], waiting: [waiting('former_head')], isForeignHead: false};
  }
  if (pull.isFromFork) return {findings: [], waiting: [waiting('fork')], isForeignHead};
  const checks = summarizeChecks(pull.checks);
  const remarks = remarksOf(pull, known.isTrusted);
  const parts = [conflictOf(pull), ciOf(pull, checks, known), reviewOf(pull, remarks, known)].map(
    split,
  );
  const findings = parts.flatMap((part) => part.findings);
  const reasons = parts.flatMap((part) => part.waiting);
  // Merging is for what has nothing left to be done.
  const approval =
    findings.length > 0 ? split([]) : split(approvalOf(pull, checks, remarks, reasons, known));
  return {
    findings: [...findings, ...approval.findings],
    waiting: [...reasons, ...approval.waiting],
    isForeignHead,
  };
}

/** The first that was not reacted to; null: wait. */
export function firstUnanswered(
  {findings}: Situation,
  answered: ReadonlySet<string>,
): Finding | null {
  return findings.find(({fingerprint}) => !answered.has(fingerprint)) ?? null;
}

type Part = readonly (Finding | Waiting)[];

function endOf({state, headSha, mergeSha}: PullRequest): Finding | null {
  if (state === 'merged') {
    return {
      is: 'merged',
      sha: mergeSha,
      fingerprint: fingerprintOf('merged', [mergeSha ?? headSha]),
    };
  }
  return state === 'closed'
    ? {is: 'closed', fingerprint: fingerprintOf('closed', [headSha])}
    : null;
}

/** A newer base is a new conflict, and so is a newer head. */
function conflictOf({mergeability, headSha, baseSha, baseBranch, mergeWord}: PullRequest): Part {
  if (mergeability === 'unknown') return [waiting('mergeability_unknown', mergeWord)];
  if (mergeability !== 'conflict') return [];
  const fingerprint = fingerprintOf('conflict', [headSha, baseSha ?? '']);
  return [{is: 'conflict', base: baseBranch, fingerprint}];
}

/** All failures at once, when none is pending: one run repairs them all. */
function ciOf({headSha, hasMore}: PullRequest, checks: CheckSummary, known: Knowledge): Part {
  const {pending, failed, infrastructure, person, cancelled} = checks;
  const reasons = [
    ...(hasMore.checks ? [waiting('checks_incomplete')] : []),
    ...(pending.length > 0 ? [waiting('checks_pending', namesOf(pending))] : []),
    ...(infrastructure.length > 0
      ? [waiting('infrastructure_failed', namesOf(infrastructure))]
      : []),
    ...(person.length > 0 ? [waiting('person_needed', namesOf(person))] : []),
    ...(cancelled.length > 0 ? [waiting('checks_cancelled', namesOf(cancelled))] : []),
  ];
  if (failed.length === 0 || pending.length > 0 || hasMore.checks) return reasons;
  const redOnBase = new Set((known.baseChecks ?? []).filter(isRed).map(({name}) => name));
  const ours = failed.filter(({name}) => !redOnBase.has(name));
  if (ours.length === 0) return [...reasons, waiting('base_failed', namesOf(failed))];
  const facts = ours.map(({name, state}) => `${name}=${state}`).sort();
  return [
    ...reasons,
    {is: 'ci', failed: ours, fingerprint: fingerprintOf('ci', [headSha, ...facts])},
  ];
}

function reviewOf({hasMore}: PullRequest, remarks: Remarks, {now}: Knowledge): Part {
  const {changesRequested, comments, untrusted, lastAt} = remarks;
  const reasons = [
    ...(untrusted > 0 ? [waiting('untrusted_comments', String(untrusted))] : []),
    ...(hasMore.threads ? [waiting('threads_incomplete')] : []),
  ];
  if (changesRequested.length === 0 && comments.length === 0) return reasons;
  // A clock that is behind the forge's must not wait for ever.
  const quietFor = lastAt === null ? QUIET_MS : Math.abs(now - lastAt);
  if (quietFor < QUIET_MS) return [...reasons, waiting('quiet_period')];
  const facts = [
    ...changesRequested.map(({id, submittedAt}) => `${id}@${submittedAt}`),
    ...comments.map(({id, updatedAt, createdAt}) => `${id}@${updatedAt ?? createdAt}`),
  ].sort();
  const fingerprint = fingerprintOf('review', facts);
  return [...reasons, {is: 'review', changesRequested, comments, fingerprint}];
}

/** Approved and green, for the commit that is merged. */
function approvalOf(
  pull: PullRequest,
  checks: CheckSummary,
  remarks: Remarks,
  reasons: readonly Waiting[],
  known: Knowledge,
): Part {
  if (pull.isDraft) return [waiting('draft')];
  const approval = approvalFor(pull, known.isTrusted);
  if (approval !== null) return [waiting(approval)];
  if (pull.checks.length === 0 && known.now - known.headSeenAt < CHECKS_START_MS) {
    return [waiting('checks_not_started')];
  }
  if (pull.mergeability === 'blocked') return [waiting('blocked', pull.mergeWord)];
  const isOpen = remarks.changesRequested.length > 0 || remarks.comments.length > 0;
  const isSure = !isOpen && !pull.hasMore.checks && !pull.hasMore.threads;
  // A reason that says why not is among the others already.
  if (!checks.isGreen || !isSure || pull.mergeability !== 'mergeable') return [];
  if (reasons.some(({reason}) => reason === 'base_failed')) return [];
  const fingerprint = fingerprintOf('approved', [pull.headSha]);
  return [{is: 'approved', sha: pull.headSha, fingerprint}];
}

/** null: approved. The forge's own decision counts the rules; without one, trusted people decide. */
function approvalFor(
  {decision, reviews, headSha}: PullRequest,
  isTrusted: IsTrusted,
): WaitReason | null {
  if (decision === 'review_required' || decision === 'changes_requested') return 'review_required';
  if (reviews.some(({state, author}) => state === 'changes_requested' && isTrusted(author))) {
    return 'review_required';
  }
  const approvals = reviews.filter(
    ({state, author}) => state === 'approved' && (decision === 'approved' || isTrusted(author)),
  );
  if (approvals.length === 0) return 'review_required';
  // An approval of an older commit says nothing about what was pushed since.
  const isForHead = approvals.some(({commitSha}) => commitSha === null || commitSha === headSha);
  return isForHead ? null : 'approved_former_head';
}

function waiting(reason: WaitReason, detail: string | null = null): Waiting {
  return {reason, detail};
}

function split(part: Part): {findings: readonly Finding[]; waiting: readonly Waiting[]} {
  return {
    findings: part.filter((one) => 'is' in one),
    waiting: part.filter((one) => 'reason' in one),
  };
}

function namesOf(checks: readonly Check[]): string {
  return checks.map(({name}) => name).join(', ');
}

function fingerprintOf(kind: string, facts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify([kind, ...facts]));
  return `${kind}:${digest.digest('hex').slice(0, 32)}`;
}
