import {stateKey} from '@symphony-supervisor/protocol';
import type {StateLabel} from './provider.ts';

/** What decides the state of an issue besides GitHub's own open and closed. */
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
 * An open issue has the state of its label or its status, else `open`. A closed issue is finished
 * whatever label it still carries: a terminal state that it names, else `closed` or its equivalent
 * in the workflow.
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

/** States that labels can give, in the order of the workflow file. */
export function statesNamed(labels: readonly string[], {stateLabels}: StateRules): string[] {
  const present = new Set(labels.map(labelKey));
  return stateLabels.flatMap(({state, label}) => (present.has(labelKey(label)) ? state : []));
}

/**
 * There should be one state label. Several mean an unfinished change or a mistake, and no agent
 * should start because of it: terminal states win over inactive ones, and those over active ones.
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
