/** What the forge knows about the author of a review or comment. */
export interface Person {
  readonly login: string;
  /** null: the forge does not say. */
  readonly isBot: boolean | null;
  /** The account whose token we use. */
  readonly isSelf: boolean;
  /** The relation to the repository; null: the forge does not say. */
  readonly association: Association | null;
}

/** `owner`, `member` and `collaborator` may write to the repository. */
export type Association = 'owner' | 'member' | 'collaborator' | 'none';

export type CheckState =
  | 'pending'
  | 'passed'
  | 'failed'
  | 'timed_out'
  | 'cancelled'
  | 'neutral'
  | 'skipped';

/**
 * Who can repair a red check: `code` the agent, `infrastructure` another run of the same check,
 * `person` a maintainer who has to approve or to decide.
 */
export type Fault = 'code' | 'infrastructure' | 'person';

/** One check of one commit, whatever system it comes from. */
export interface Check {
  /** The forge's id of what has the log; null: there is none. */
  readonly id: string | null;
  readonly name: string;
  readonly state: CheckState;
  readonly fault: Fault;
  readonly url: string | null;
}

/** The last opinion of one author; comments without an opinion are no review. */
export interface Review {
  readonly id: string;
  readonly author: Person;
  readonly state: 'approved' | 'changes_requested' | 'dismissed';
  readonly body: string;
  /** What was reviewed; null: the forge does not say. */
  readonly commitSha: string | null;
  readonly submittedAt: string | null;
}

export interface ReviewComment {
  readonly id: string;
  readonly author: Person;
  /** Cut at a bound. */
  readonly body: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly url: string | null;
}

/** An unresolved conversation about a place in the code, oldest comment first. */
export interface ReviewThread {
  readonly id: string;
  readonly path: string | null;
  /** On the new side; null: about the file, or a line that is gone. */
  readonly line: number | null;
  /** About code that has changed since. */
  readonly isOutdated: boolean;
  readonly comments: readonly ReviewComment[];
}

export type Mergeability =
  | 'mergeable'
  | 'conflict'
  /** A rule of the repository stands against it: a missing review, a check, a draft. */
  | 'blocked'
  /** Not computed yet, or not known to this forge. Never read as a conflict. */
  | 'unknown';

/** A pull or merge request, without what takes further requests. */
export interface PullRequestRef {
  readonly number: number;
  readonly url: string | null;
  readonly state: 'open' | 'merged' | 'closed';
  readonly headBranch: string;
  readonly headSha: string;
  readonly baseBranch: string;
}

/** All facts that a reaction depends on, as they were at one time. */
export interface PullRequest extends PullRequestRef {
  readonly title: string;
  readonly isDraft: boolean;
  /** The head is in another repository: nothing of it is ours to push, merge or delete. */
  readonly isFromFork: boolean;
  /** The tip of the base branch; null: the forge does not say. */
  readonly baseSha: string | null;
  /** Of a merged one. */
  readonly mergeSha: string | null;
  readonly mergeability: Mergeability;
  /** The forge's own word for it: `BEHIND`, `ci_must_pass`. */
  readonly mergeWord: string | null;
  /** The forge's rules about reviews; null: it has none here, or does not say. */
  readonly decision: 'approved' | 'changes_requested' | 'review_required' | null;
  /** Of the current head only, the latest of each name. */
  readonly checks: readonly Check[];
  readonly reviews: readonly Review[];
  readonly threads: readonly ReviewThread[];
  /** More than is read: then nothing is concluded from what is missing. */
  readonly hasMore: {readonly checks: boolean; readonly threads: boolean};
  readonly updatedAt: string | null;
}
