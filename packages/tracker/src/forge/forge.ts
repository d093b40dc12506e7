import type {TrackerBudget} from '@symphony-supervisor/protocol';
import type {Answer} from '../answer.ts';
import type {WebhookDelivery} from '../webhook.ts';
import type {Check, PullRequest, PullRequestRef} from './pull-request.ts';

/**
 * Where the pull requests of one project live, for every provider. It lives in the tracker thread
 * with credentials and rate budgets of its own. Every call ends when its signal is aborted; failures
 * and refusals are data.
 */
export interface Forge extends AsyncDisposable {
  /**
   * The pull request of a branch of our own repository: an open one first, else the newest. A branch
   * of the same name in a fork is another branch. null: there is none.
   */
  findPullRequest(branch: string, signal: AbortSignal): Promise<Answer<PullRequestRef | null>>;

  /** Idempotent by branch: an open pull request of that branch is found instead. */
  openPullRequest(wanted: NewPullRequest, signal: AbortSignal): Promise<Answer<OpenOutcome>>;

  /** Writes each key once: the key is in the comment, hidden. */
  comment(number: number, comment: KeyedComment, signal: AbortSignal): Promise<Answer<Commented>>;

  /**
   * Each number at most once; a missing number means that the pull request is gone. A malformed
   * record among the requested ones fails the call. An empty list makes no request.
   */
  readPullRequests(
    numbers: readonly number[],
    signal: AbortSignal,
  ): Promise<Answer<readonly PullRequest[]>>;

  /** The checks of commits, such as the tip of a base branch; a commit without any is left out. */
  readChecks(
    shas: readonly string[],
    signal: AbortSignal,
  ): Promise<Answer<ReadonlyMap<string, readonly Check[]>>>;

  /** The end of the log of each failed check of a commit, within the bounds of `logs/fit.ts`. */
  failedLogs(
    sha: string,
    checks: readonly Check[],
    signal: AbortSignal,
  ): Promise<Answer<readonly CheckLog[]>>;

  /** Merges exactly this commit, and only where the rules of the repository allow it. */
  merge(number: number, merge: Merge, signal: AbortSignal): Promise<Answer<MergeOutcome>>;

  /** Which pull requests a delivery is about. Header names are in lower case. */
  verifyWebhook(
    headers: WebhookDelivery['headers'],
    rawBody: Uint8Array,
    now: number,
  ): Promise<ForgeWebhookVerdict>;

  /** Requests and rate limits used so far. */
  budget(): TrackerBudget;
}

export interface NewPullRequest {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

export type OpenOutcome =
  | {readonly outcome: 'opened' | 'found'; readonly pullRequest: PullRequestRef}
  | Refused<'no_branch' | 'no_base' | 'no_commits' | 'no_right' | 'invalid'>;

export interface KeyedComment {
  /** Of one event: `ci:4fe1…`. */
  readonly key: string;
  readonly text: string;
}

export type Commented =
  | {readonly outcome: 'written' | 'unchanged'}
  | Refused<'not_found' | 'no_right'>;

export type MergeMethod = 'squash' | 'merge' | 'rebase';

export interface Merge {
  /** The head that was judged. */
  readonly sha: string;
  readonly method: MergeMethod;
}

export type MergeRefusal =
  | 'head_moved'
  /** A rule of the branch: a review, a check, who may merge. */
  | 'protected'
  | 'not_mergeable'
  | 'method_not_allowed'
  | 'no_right'
  | 'not_found'
  /** Closed without a merge, by a person. */
  | 'closed';

export type MergeOutcome =
  /** By this call, or before it. */
  {readonly outcome: 'merged'; readonly sha: string | null} | Refused<MergeRefusal>;

export interface Refused<Because extends string> {
  readonly outcome: 'refused';
  readonly because: Because;
  /** What the forge said, for people. */
  readonly message: string;
}

export interface CheckLog {
  readonly name: string;
  readonly url: string | null;
  /** Cleaned, and cut at its beginning; null: there is no log, or not any more. */
  readonly text: string | null;
}

/** What a delivery is about; the caller compares it with the pull requests that it watches. */
export interface WebhookSubject {
  readonly numbers: readonly number[];
  /** Commits whose checks changed. */
  readonly shas: readonly string[];
  /** Branches that moved: the head of a pull request, or the base of many. */
  readonly branches: readonly string[];
}

export type ForgeWebhookVerdict =
  | {readonly is: 'accepted'; readonly about: WebhookSubject}
  | {readonly is: 'ignored' | 'refused'; readonly why: string};
