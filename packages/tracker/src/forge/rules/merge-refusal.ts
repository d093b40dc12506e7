import {excerpt} from '../../http/verdict.ts';
import type {MergeOutcome, MergeRefusal} from '../forge.ts';
import type {PullRequest} from '../pull-request.ts';

/** An answer to a merge that is none of success. */
export interface RefusedMerge {
  readonly status: number;
  readonly message: string;
  /** The commit that was to be merged. */
  readonly sha: string;
  /** Read again after the answer; null: gone, or not shown. */
  readonly found: Pick<PullRequest, 'state' | 'headSha' | 'mergeSha' | 'mergeability'> | null;
}

const METHOD =
  /(?:merge commits?|squash(?: merges?| merging)?|rebase(?: merges?| merging)?) (?:are|is) not allowed|merge style/i;
const RULE =
  /required|requires|protect|rule violation|approv|review|status check|pipeline|discussion|archived/i;

/**
 * What a refused merge means. The same status has several reasons at each forge, so the pull request
 * decides before the text does: another merge, a person who closed it, a newer head.
 */
export function mergeRefusal({status, message, sha, found}: RefusedMerge): MergeOutcome {
  if (found?.state === 'merged') return {outcome: 'merged', sha: found.mergeSha};
  const refused = (because: MergeRefusal): MergeOutcome => ({
    outcome: 'refused',
    because,
    message: excerpt(message) || `status ${status}`,
  });
  if (found === null || status === 404) return refused('not_found');
  if (found.state === 'closed') return refused('closed');
  if (found.headSha !== sha) return refused('head_moved');
  if (status === 401 || status === 403) {
    return refused(/protect/i.test(message) ? 'protected' : 'no_right');
  }
  // The base moved just now: the same call may succeed in a moment.
  if (/was modified/i.test(message)) return refused('not_mergeable');
  if (METHOD.test(message)) return refused('method_not_allowed');
  if (found.mergeability === 'conflict') return refused('not_mergeable');
  if (found.mergeability === 'blocked' || status === 423) return refused('protected');
  return refused(RULE.test(message) ? 'protected' : 'not_mergeable');
}
