import type {PullRequest, Review, ReviewComment, ReviewThread} from '../pull-request.ts';
import type {IsTrusted} from './trust.ts';

/** A comment and the place it is about. */
export interface Remark extends ReviewComment {
  readonly threadId: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly isOutdated: boolean;
}

/** What trusted people want changed. */
export interface Remarks {
  readonly changesRequested: readonly Review[];
  readonly comments: readonly Remark[];
  /** How many unresolved comments are by others. */
  readonly untrusted: number;
  /** When the last of them was written; null: there are none. */
  readonly lastAt: number | null;
}

export function remarksOf({reviews, threads}: PullRequest, isTrusted: IsTrusted): Remarks {
  const changesRequested = reviews.filter(
    ({state, author}) => state === 'changes_requested' && isTrusted(author),
  );
  const open = threads.flatMap(unanswered);
  const comments = open.filter(({author}) => isTrusted(author));
  const times = [
    ...changesRequested.map(({submittedAt}) => submittedAt),
    ...comments.flatMap(({createdAt, updatedAt}) => [createdAt, updatedAt]),
  ].flatMap((at) => (at === null ? [] : Date.parse(at)));
  return {
    changesRequested,
    comments,
    untrusted: open.length - comments.length,
    lastAt: times.length === 0 ? null : Math.max(...times),
  };
}

/** What came after our own last word in the thread. */
function unanswered({id, path, line, isOutdated, comments}: ReviewThread): Remark[] {
  const answered = comments.findLastIndex(({author}) => author.isSelf);
  const place = {threadId: id, path, line, isOutdated};
  return comments.slice(answered + 1).map((comment) => ({...comment, ...place}));
}
