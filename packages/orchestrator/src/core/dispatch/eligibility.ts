import {
  type Issue,
  isActive,
  isRoutable,
  isTerminal,
  sameState,
  type TrackerSettings,
} from '@symphony-supervisor/protocol';

/** The result of a read for an issue that is claimed or a candidate. */
export type Standing = 'workable' | 'terminal' | 'inactive';

/** null: the issue was deleted. */
export function standingOf(issue: Issue | null, tracker: TrackerSettings): Standing {
  if (issue === null) return 'inactive';
  if (isTerminal(issue.state, tracker)) return 'terminal';
  return isActive(issue.state, tracker) && isRoutable(issue, tracker) ? 'workable' : 'inactive';
}

/** A blocker counts only while the issue has not been started; a blocker of unknown state blocks. */
export function blockerOf(issue: Issue, tracker: TrackerSettings): string | null {
  if (!tracker.unstartedStates.some((state) => sameState(state, issue.state))) return null;
  const blocker = issue.blocked_by.find(({state}) => state === null || !isTerminal(state, tracker));
  return blocker === undefined ? null : (blocker.identifier ?? blocker.id ?? 'an unknown issue');
}

/** Why a candidate cannot be taken, regardless of free slots; null if it can. */
export function unfitness(issue: Issue, tracker: TrackerSettings): string | null {
  if (standingOf(issue, tracker) !== 'workable') return obstacles(issue, tracker).join('; ');
  const blocker = blockerOf(issue, tracker);
  return blocker === null ? null : `blocked by ${blocker}`;
}

/** All of them: an issue may lack one label and have another wrong one. */
function obstacles({state, labels, dispatchable}: Issue, tracker: TrackerSettings): string[] {
  const missing = tracker.requiredLabels.filter((label) => !labels.includes(label));
  const excluded = tracker.excludedLabels.filter((label) => labels.includes(label));
  return [
    ...(isTerminal(state, tracker) ? [`state ${state} is terminal`] : []),
    ...(isActive(state, tracker) || isTerminal(state, tracker)
      ? []
      : [`state ${state} is not active`]),
    ...missing.map((label) => `lacks the required label ${label}`),
    ...excluded.map((label) => `has the excluded label ${label}`),
    ...(dispatchable ? [] : ['excluded by tracker.provider (author or assignee), or archived']),
  ];
}

/** Priority 1 to 4, then everything else; then the oldest, those without a date last; then by name. */
export function inOrder(issues: readonly Issue[]): Issue[] {
  return issues.toSorted(
    (a, b) =>
      rank(a.priority) - rank(b.priority) ||
      compare(a.created_at ?? '\uffff', b.created_at ?? '\uffff') ||
      compare(a.identifier, b.identifier),
  );
}

function rank(priority: number | null): number {
  return priority !== null && priority >= 1 && priority <= 4 ? priority : 5;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
