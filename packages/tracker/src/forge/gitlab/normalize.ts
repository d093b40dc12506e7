import {cutBody} from '../cut.ts';
import type {
  Association,
  Check,
  CheckState,
  Mergeability,
  Person,
  PullRequest,
  PullRequestRef,
  ReviewThread,
} from '../pull-request.ts';
import type {CommitStatus, Discussion, MergeRequest, User} from './record.ts';

export interface People {
  /** Our own name. */
  readonly self: string;
  /** By lower-cased name. */
  readonly members: ReadonlyMap<string, Association>;
}

/** Access tokens of projects and groups have accounts of their own. */
const BOT = /^(?:project|group)_\d+_bot(?:_|$)/;

export function toPerson({username}: User, {self, members}: People): Person {
  return {
    login: username,
    isBot: BOT.test(username) ? true : null,
    isSelf: username === self,
    association: members.get(username.toLowerCase()) ?? 'none',
  };
}

/** Developers may push; reporters, planners and guests may not. */
export function associationOf(accessLevel: number): Association {
  if (accessLevel >= 50) return 'owner';
  return accessLevel >= 30 ? 'member' : 'none';
}

const STATES: Readonly<Record<string, CheckState>> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'cancelled',
  skipped: 'skipped',
};

/** The runner's fault, not the script's. */
const INFRASTRUCTURE = new Set([
  'runner_system_failure',
  'stuck_or_timeout_failure',
  'scheduler_failure',
  'runner_unsupported',
  'data_integrity_failure',
  'api_failure',
  'stale_schedule',
  'no_matching_runner',
]);

export function toCheck(status: CommitStatus, reason: string | null): Check {
  const {id, name, target_url: url, allow_failure: mayFail} = status;
  const check = {id: String(id), name, url, fault: 'code'} as const;
  if (status.status === 'manual') {
    return mayFail ? {...check, state: 'skipped'} : {...check, state: 'failed', fault: 'person'};
  }
  const state = STATES[status.status] ?? 'pending';
  if (state === 'pending') return {...check, state};
  if (mayFail && state !== 'passed') return {...check, state: 'neutral'};
  if (state !== 'failed') return {...check, state};
  if (reason === 'job_execution_timeout') return {...check, state: 'timed_out'};
  return {...check, state, fault: INFRASTRUCTURE.has(reason ?? '') ? 'infrastructure' : 'code'};
}

const NOT_COMPUTED = new Set(['unchecked', 'checking', 'preparing', 'approvals_syncing']);

/** One word at a time, and it may hide another. Unknown words stand against a merge. */
export function mergeabilityOf(word: string | null): Mergeability {
  if (word === 'mergeable') return 'mergeable';
  if (word === 'conflict') return 'conflict';
  return word === null || NOT_COMPUTED.has(word) ? 'unknown' : 'blocked';
}

const DECISIONS: Readonly<Record<string, NonNullable<PullRequest['decision']>>> = {
  not_approved: 'review_required',
  requested_changes: 'changes_requested',
};

export function toRef(record: MergeRequest): PullRequestRef {
  const {state} = record;
  return {
    number: record.iid,
    url: record.web_url,
    // `locked` lasts as long as a merge does.
    state: state === 'opened' || state === 'locked' ? 'open' : state,
    headBranch: record.source_branch,
    headSha: record.sha ?? '',
    baseBranch: record.target_branch,
  };
}

export function isOwn(record: MergeRequest): boolean {
  return record.source_project_id === record.target_project_id;
}

/** All that the record itself says. */
export function toPullRequest(
  record: MergeRequest,
): Omit<PullRequest, 'checks' | 'reviews' | 'threads' | 'hasMore' | 'baseSha'> {
  const word = record.detailed_merge_status;
  return {
    ...toRef(record),
    title: record.title,
    isDraft: record.draft,
    isFromFork: !isOwn(record),
    mergeSha:
      record.state === 'merged'
        ? (record.merge_commit_sha ?? record.squash_commit_sha ?? record.sha)
        : null,
    mergeability: mergeabilityOf(word),
    mergeWord: word,
    decision: DECISIONS[word ?? ''] ?? null,
    updatedAt: record.updated_at,
  };
}

/** Empty: resolved, or not to be resolved, as plain comments are. */
export function toThread({id, notes}: Discussion, headSha: string, people: People): ReviewThread[] {
  if (!notes.some(({resolvable, resolved}) => resolvable && resolved !== true)) return [];
  const position = notes.find((note) => note.position != null)?.position ?? null;
  const comments = notes
    .filter(({system}) => !system)
    .map((note) => ({
      id: String(note.id),
      author: toPerson(note.author, people),
      body: cutBody(note.body),
      createdAt: note.created_at,
      updatedAt: note.updated_at,
      url: null,
    }));
  const isOutdated = position?.head_sha != null && position.head_sha !== headSha;
  return [
    {id, path: position?.new_path ?? null, line: position?.new_line ?? null, isOutdated, comments},
  ];
}
