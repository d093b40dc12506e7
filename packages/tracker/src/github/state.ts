import {stateKey} from '@symphony-supervisor/protocol';
import type {StateLabel} from './provider.ts';

/** What decides an issue's state besides GitHub's own open and closed. */
export interface StateRules {
  readonly stateLabels: readonly StateLabel[];
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
}

export interface StateFacts {
  readonly isOpen: boolean;
  readonly labels: readonly string[];
  /** The status in the project, where a project says the state. */
  readonly status: string | null;
}

export const OPEN = 'open';
export const CLOSED = 'closed';

/**
 * An open issue has the state of its label or its status, else `open`. A closed one is over whatever
 * label it still carries: a terminal state that it names, else `closed` or what the workflow has for it.
 */
export function stateOf(facts: StateFacts, rules: StateRules): string {
  const {isOpen, labels, status} = facts;
  const named = status === null ? statesNamed(labels, rules) : [status];
  if (isOpen) return mostFinished(named, rules) ?? OPEN;
  return named.find((state) => includes(rules.terminalStates, state)) ?? closedState(rules);
}

export function closedState({terminalStates}: StateRules): string {
  return includes(terminalStates, CLOSED) ? CLOSED : (terminalStates[0] ?? CLOSED);
}

/** States that labels give, in the order of the workflow file. */
export function statesNamed(labels: readonly string[], {stateLabels}: StateRules): string[] {
  const present = new Set(labels.map(labelKey));
  return stateLabels.flatMap(({state, label}) => (present.has(labelKey(label)) ? state : []));
}

/**
 * There should be one. With several somebody is in the middle of a change, or made a mistake, and no
 * agent should start because of it: over wins over waiting for people, and that over work.
 */
function mostFinished(states: readonly string[], rules: StateRules): string | undefined {
  return (
    states.find((state) => includes(rules.terminalStates, state)) ??
    states.find((state) => !includes(rules.activeStates, state)) ??
    states.at(-1)
  );
}

export function labelOf(state: string, {stateLabels}: StateRules): string | undefined {
  return stateLabels.find((entry) => stateKey(entry.state) === stateKey(state))?.label;
}

/** GitHub compares labels without regard to case. */
export function labelKey(label: string): string {
  return label.trim().toLowerCase();
}

export function includes(states: readonly string[], state: string): boolean {
  return states.some((other) => stateKey(other) === stateKey(state));
}
