import {type Issue, stateKey} from '@symphony-supervisor/protocol';

/** What a tracker has, for an operator who sets up a project. No run depends on it. */
export interface Survey {
  /** The project, team, repository or folder, as the tracker calls it; null: it does not exist. */
  readonly found: string | null;
  /** What the credential can see instead, if nothing was found. */
  readonly others: readonly string[];
  /** Every state that an issue can have; null: any text is a state. */
  readonly states: readonly string[] | null;
  /** Issues by state, the most frequent first. */
  readonly counts: readonly StateCount[];
  /** There are more issues than were counted. */
  readonly isPartial: boolean;
  /** Labels that the workflow names and the tracker does not have. */
  readonly missingLabels: readonly string[];
}

export interface StateCount {
  readonly state: string;
  readonly count: number;
}

/** A project that does not exist or that the credential cannot see. */
export function notThere(others: readonly string[]): Survey {
  return {found: null, others, states: null, counts: [], isPartial: false, missingLabels: []};
}

/** By state, without regard to case; the first spelling counts. */
export function countStates(issues: Iterable<Pick<Issue, 'state'>>): StateCount[] {
  const counts = new Map<string, {state: string; count: number}>();
  for (const {state} of issues) {
    const known = counts.get(stateKey(state)) ?? {state, count: 0};
    counts.set(stateKey(state), {...known, count: known.count + 1});
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
}
