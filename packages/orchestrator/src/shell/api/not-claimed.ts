import {type ClaimKey, issueIdOf, projectOf} from '../../core/claim.ts';
import type {State} from '../../core/state.ts';
import type {RunRecord} from '../../store/index.ts';

/** Why an order for an unclaimed issue is refused, and the remedy. */
export function notClaimed({projects}: State, key: ClaimKey, last: RunRecord | undefined): string {
  const project = projects.get(projectOf(key));
  const ended = last === undefined ? '' : ` (its last run: ${last.outcome})`;
  const isWaiting = project?.candidates.some(({id}) => id === issueIdOf(key)) ?? false;
  if (isWaiting) return `the issue is not claimed: it waits to be dispatched${ended}`;
  const states = project?.workflow.settings.tracker.activeStates.join(' or ') ?? 'an active state';
  const what = `the issue is not claimed: it is done, or not in an active state${ended}`;
  return `${what}; to work on it again, move it to ${states} in the tracker`;
}
