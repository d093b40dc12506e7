import {cutBody} from '../cut.ts';
import type {
  Association,
  Check,
  CheckState,
  Fault,
  Mergeability,
  Person,
  PullRequest,
  PullRequestRef,
  Review,
  ReviewComment,
} from '../pull-request.ts';
import type {Authored, CheckNode, CommentNode, PullNode, RestPull, ReviewNode} from './record.ts';

const CONCLUSIONS: Readonly<Record<string, readonly [CheckState, Fault]>> = {
  SUCCESS: ['passed', 'code'],
  FAILURE: ['failed', 'code'],
  TIMED_OUT: ['timed_out', 'code'],
  STARTUP_FAILURE: ['failed', 'infrastructure'],
  ACTION_REQUIRED: ['failed', 'person'],
  CANCELLED: ['cancelled', 'code'],
  STALE: ['cancelled', 'code'],
  NEUTRAL: ['neutral', 'code'],
  SKIPPED: ['skipped', 'code'],
};

const STATUSES: Readonly<Record<string, CheckState>> = {
  SUCCESS: 'passed',
  FAILURE: 'failed',
  ERROR: 'failed',
};

/** Checks and commit statuses are two systems; an unknown word of either waits. */
export function toCheck(node: CheckNode): Check {
  if (node.__typename === 'StatusContext') {
    const state = STATUSES[node.state] ?? 'pending';
    return {id: null, name: node.context, state, fault: 'code', url: node.targetUrl};
  }
  const {databaseId, name, status, conclusion, detailsUrl, checkSuite} = node;
  const workflow = checkSuite?.workflowRun?.workflow.name ?? null;
  const isDone = status === 'COMPLETED';
  const [state, fault] = (isDone && CONCLUSIONS[conclusion ?? '']) || ['pending', 'code'];
  return {
    id: databaseId === null ? null : `${checkSuite?.workflowRun ? 'job' : 'check'}:${databaseId}`,
    name: workflow === null ? name : `${workflow} / ${name}`,
    state,
    fault,
    url: detailsUrl,
  };
}

/** A repeated check is listed beside its earlier run: the one that started last counts. */
export function latestChecks(nodes: readonly CheckNode[]): Check[] {
  const latest = new Map<string, CheckNode>();
  for (const node of nodes) {
    const former = latest.get(keyOf(node));
    if (former === undefined || startOf(node) >= startOf(former)) latest.set(keyOf(node), node);
  }
  return [...latest.values()].map(toCheck);
}

/** The same job runs for a push and for the pull request: these are two checks. */
function keyOf(node: CheckNode): string {
  if (node.__typename === 'StatusContext') return JSON.stringify([node.context]);
  const run = node.checkSuite?.workflowRun;
  return JSON.stringify([node.name, run?.workflow.name ?? null, run?.event ?? null]);
}

function startOf(node: CheckNode): number {
  const at = node.__typename === 'StatusContext' ? node.createdAt : node.startedAt;
  // A check that has not started yet is the newest.
  return at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
}

const ASSOCIATIONS: Readonly<Record<string, Association>> = {
  OWNER: 'owner',
  MEMBER: 'member',
  COLLABORATOR: 'collaborator',
};

function toPerson({author, authorAssociation, viewerDidAuthor}: Authored): Person {
  // REST says `dependabot[bot]`, GraphQL omits the suffix. `ghost` is a deleted account.
  const isBot = author?.__typename === 'Bot';
  const login = author === null ? 'ghost' : isBot ? `${author.login}[bot]` : author.login;
  const association = ASSOCIATIONS[authorAssociation ?? ''] ?? 'none';
  return {login, isBot, isSelf: viewerDidAuthor, association};
}

const REVIEWS: Readonly<Record<string, Review['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  DISMISSED: 'dismissed',
};

export function toReviews(nodes: readonly ReviewNode[]): Review[] {
  return nodes.flatMap((node) => {
    const state = REVIEWS[node.state];
    if (state === undefined) return [];
    const {id, submittedAt} = node;
    const commitSha = node.commit?.oid ?? '';
    return [{id, author: toPerson(node), state, body: cutBody(node.body), commitSha, submittedAt}];
  });
}

export function toComment(node: CommentNode): ReviewComment {
  const {id, createdAt, updatedAt, url} = node;
  return {id, author: toPerson(node), body: cutBody(node.body), createdAt, updatedAt, url};
}

const DECISIONS: Readonly<Record<string, NonNullable<PullRequest['decision']>>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  REVIEW_REQUIRED: 'review_required',
};

/** All but checks, threads and what is left to read. */
export function toPullRequest(
  node: PullNode,
  repository: string,
): Omit<PullRequest, 'checks' | 'threads' | 'hasMore'> {
  return {
    number: node.number,
    url: node.url,
    title: node.title,
    state: node.state === 'OPEN' ? 'open' : node.state === 'MERGED' ? 'merged' : 'closed',
    isDraft: node.isDraft,
    isFromFork: !isSame(node.headRepository?.nameWithOwner, repository),
    headBranch: node.headRefName,
    headSha: node.headRefOid,
    baseBranch: node.baseRefName,
    baseSha: node.baseRef?.target?.oid ?? null,
    mergeSha: node.mergeCommit?.oid ?? null,
    mergeability: mergeabilityOf(node),
    mergeWord: node.mergeStateStatus,
    decision: DECISIONS[node.reviewDecision ?? ''] ?? null,
    reviews: toReviews(node.latestOpinionatedReviews?.nodes ?? []),
    updatedAt: node.updatedAt,
  };
}

function mergeabilityOf({mergeable, mergeStateStatus}: PullNode): Mergeability {
  if (mergeable === 'CONFLICTING') return 'conflict';
  if (mergeable !== 'MERGEABLE') return 'unknown';
  // UNSTABLE: only checks that are not required are red. HAS_HOOKS: of an Enterprise Server.
  if (['CLEAN', 'UNSTABLE', 'HAS_HOOKS'].includes(mergeStateStatus)) return 'mergeable';
  return ['BLOCKED', 'BEHIND', 'DRAFT'].includes(mergeStateStatus) ? 'blocked' : 'unknown';
}

export function toRef(pull: RestPull): PullRequestRef {
  const merged = pull.merged_at !== null;
  return {
    number: pull.number,
    url: pull.html_url,
    state: merged ? 'merged' : pull.state,
    headBranch: pull.head.ref,
    headSha: pull.head.sha,
    baseBranch: pull.base.ref,
  };
}

/** Names on GitHub have no case. A head whose repository was deleted is not ours. */
export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
