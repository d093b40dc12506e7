import {cutBody} from '../cut.ts';
import type {
  Association,
  Check,
  CheckState,
  Person,
  PullRequest,
  PullRequestRef,
  Review,
  ReviewThread,
} from '../pull-request.ts';
import type {Pull, ReviewComment, Review as ReviewRecord, Status, User} from './record.ts';

export interface People {
  readonly self: string;
  readonly owner: string;
  /** Lower-cased names of everyone who may write. */
  readonly writers: ReadonlySet<string>;
}

function toPerson(user: User | null, {self, owner, writers}: People): Person {
  const login = user?.login ?? 'ghost';
  const name = login.toLowerCase();
  const association: Association =
    name === owner.toLowerCase() ? 'owner' : writers.has(name) ? 'collaborator' : 'none';
  return {login, isBot: null, isSelf: login === self, association};
}

const STATES: Readonly<Record<string, CheckState>> = {
  success: 'passed',
  failure: 'failed',
  error: 'failed',
  warning: 'neutral',
  skipped: 'skipped',
};

export function toCheck({context, status, target_url: url, description}: Status): Check {
  // A cancelled job is a failure to the status of a commit; only its text tells.
  const isCancelled = status === 'failure' && /^has been cancelled/i.test(description ?? '');
  const state = isCancelled ? 'cancelled' : (STATES[status] ?? 'pending');
  return {id: null, name: context, state, fault: 'code', url};
}

export function toRef(pull: Pull): PullRequestRef {
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.merged ? 'merged' : pull.state,
    headBranch: pull.head.ref,
    headSha: pull.head.sha,
    baseBranch: pull.base.ref,
  };
}

export function isOwn({head, base}: Pull): boolean {
  return head.repo_id === base.repo_id;
}

/** All that the record itself says; whether `mergeable: false` is a conflict, it does not. */
export function toPullRequest(
  pull: Pull,
): Omit<PullRequest, 'checks' | 'reviews' | 'threads' | 'hasMore' | 'mergeability' | 'mergeWord'> {
  return {
    ...toRef(pull),
    title: pull.title,
    isDraft: pull.draft,
    isFromFork: !isOwn(pull),
    baseSha: pull.base.sha,
    mergeSha: pull.merged ? (pull.merge_commit_sha ?? null) : null,
    decision: null,
    updatedAt: pull.updated_at,
  };
}

/** The last opinion of each person; comments and requests for a review are none. */
export function toReviews(records: readonly ReviewRecord[], people: People): Review[] {
  const latest = new Map<string, Review>();
  for (const record of [...records].sort((a, b) => a.id - b.id)) {
    const isOpinion = record.state === 'APPROVED' || record.state === 'REQUEST_CHANGES';
    if (!isOpinion || record.user === null) continue;
    const opinion = record.state === 'APPROVED' ? 'approved' : 'changes_requested';
    latest.set(record.user.login, {
      id: String(record.id),
      author: toPerson(record.user, people),
      state: record.dismissed ? 'dismissed' : opinion,
      body: cutBody(record.body),
      commitSha: record.commit_id,
      submittedAt: record.submitted_at,
    });
  }
  return [...latest.values()];
}

/** Comments on the same line are one conversation; it is resolved as a whole. */
export function toThreads(
  records: readonly ReviewComment[],
  headSha: string,
  people: People,
): ReviewThread[] {
  const byPlace = new Map<string, ReviewComment[]>();
  for (const record of [...records].sort((a, b) => a.id - b.id)) {
    const place = JSON.stringify([record.path, record.position, record.original_position]);
    byPlace.set(place, [...(byPlace.get(place) ?? []), record]);
  }
  return [...byPlace.values()].flatMap((comments): ReviewThread[] => {
    const [first] = comments;
    if (first === undefined || comments.some(({resolver}) => resolver != null)) return [];
    return [
      {
        id: String(first.id),
        path: first.path,
        line: first.position > 0 ? first.position : null,
        isOutdated: first.commit_id !== headSha,
        comments: comments.map((comment) => ({
          id: String(comment.id),
          author: toPerson(comment.user, people),
          body: cutBody(comment.body),
          createdAt: comment.created_at,
          updatedAt: comment.updated_at,
          url: comment.html_url,
        })),
      },
    ];
  });
}
