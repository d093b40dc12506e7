import type {TrackerSettings} from './settings.ts';
import {type Issue, stateKey} from './wire/issue.ts';

export function isTerminal(state: string, tracker: TrackerSettings): boolean {
  return includesState(tracker.terminalStates, state);
}

/** A state that is in both lists is terminal. */
export function isActive(state: string, tracker: TrackerSettings): boolean {
  return includesState(tracker.activeStates, state) && !isTerminal(state, tracker);
}

/** Whether the issue is routed to us, in any state. */
export function isRoutable(issue: Issue, tracker: TrackerSettings): boolean {
  const {labels} = issue;
  return (
    issue.dispatchable &&
    tracker.requiredLabels.every((label) => labels.includes(label)) &&
    !tracker.excludedLabels.some((label) => labels.includes(label))
  );
}

/** Whether an ongoing run may continue. */
export function isWorkable(issue: Issue, tracker: TrackerSettings): boolean {
  return isActive(issue.state, tracker) && isRoutable(issue, tracker);
}

function includesState(states: readonly string[], state: string): boolean {
  const wanted = stateKey(state);
  return states.some((candidate) => stateKey(candidate) === wanted);
}
