import {type Issue, sameState} from '@symphony-supervisor/protocol';
import {
  type ClaimKey,
  type Common,
  claimKey,
  commonOf,
  type Dismissed,
  projectOf,
} from '../claim.ts';
import type {Draft} from '../draft.ts';
import {unclaimed} from '../life/clean.ts';
import type {State} from '../state.ts';
import {clearTimers} from './release.ts';

// The claim of a dismissed issue stays, without a slot, until a person changes the issue in the tracker.
// Each read is compared with `claim.issue`: as long as none differs, it may be replaced by the newest.

/** `isRead`: the issue has been read since the order, and after its run. */
export function dismiss(draft: Draft, key: ClaimKey, claim: Common, isRead: boolean): void {
  clearTimers(draft, key);
  draft.put(key, {is: 'dismissed', ...commonOf(claim), since: draft.at, isRead});
}

/**
 * Whether the issue is unchanged since its dismissal. An issue that merely became inactive is unchanged: the
 * workflow file or the tracker's rules changed, and if they are changed back there must be no run.
 */
export function staysDismissed(
  draft: Draft,
  key: ClaimKey,
  claim: Dismissed,
  before: Issue,
  issue: Issue | null,
): boolean {
  if (issue === null) return false;
  if (claim.isRead) return !isChanged(before, issue);
  draft.put(key, {...claim, isRead: true});
  return true;
}

/** By a person: priority, dates and blockers also change on their own. */
function isChanged(before: Issue, now: Issue): boolean {
  return (
    !sameState(before.state, now.state) ||
    before.title !== now.title ||
    before.description !== now.description ||
    before.assignee_id !== now.assignee_id ||
    sorted(before.labels) !== sorted(now.labels)
  );
}

function sorted(labels: readonly string[]): string {
  return JSON.stringify(labels.toSorted());
}

/** An unclaimed issue of the last list; null if there is none. */
export function candidateOf({projects}: State, key: ClaimKey): Common | null {
  const project = projects.get(projectOf(key));
  const issue = project?.candidates.find(({id}) => claimKey(project.name, id) === key);
  if (project === undefined || issue === undefined) return null;
  return unclaimed(project, issue, project.candidatesAskedAt);
}
