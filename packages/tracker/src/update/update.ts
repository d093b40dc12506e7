import {type Issue, sameState} from '@symphony-supervisor/protocol';
import type {Change} from '../adapter.ts';

/** The wanted changes of an issue. Absent fields stay as they are. */
export interface IssueUpdate {
  readonly state?: string;
  readonly comment?: string;
  /** The complete list of labels wanted. */
  readonly labels?: readonly string[];
}

export type UpdatePlan =
  | {readonly do: 'write'; readonly changes: IssueUpdate}
  | {readonly do: 'nothing'}
  | {readonly do: 'yield'};

/**
 * A three-way comparison: the issue as the caller knows it, as found just before the write, and as
 * wanted. The plan contains only real changes.
 */
export function planUpdate(known: Issue, found: Issue, wanted: IssueUpdate): UpdatePlan {
  const changes: {state?: string; comment?: string; labels?: readonly string[]} = {};
  if (wanted.state !== undefined && !sameState(wanted.state, found.state)) {
    if (!sameState(known.state, found.state)) return {do: 'yield'};
    changes.state = wanted.state.trim();
  }
  if (wanted.labels !== undefined) {
    const labels = mergedLabels(known.labels, found.labels, wanted.labels);
    if (!sameMembers(labels, found.labels)) changes.labels = labels;
  }
  if (wanted.comment !== undefined && wanted.comment.trim() !== '') {
    changes.comment = wanted.comment;
  }
  return changesOf(changes).length === 0 ? {do: 'nothing'} : {do: 'write', changes};
}

export function changesOf(update: IssueUpdate): Change[] {
  const all: readonly Change[] = ['state', 'labels', 'comment'];
  return all.filter((part) => update[part] !== undefined);
}

/** A label that another writer added or removed meanwhile stays added or removed. */
function mergedLabels(
  known: readonly string[],
  found: readonly string[],
  wanted: readonly string[],
): string[] {
  const added = wanted.filter((label) => !known.includes(label));
  const kept = found.filter((label) => wanted.includes(label) || !known.includes(label));
  return [...new Set([...kept, ...added])];
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}

/** The origin of a write. */
export type Caller = 'agent' | 'supervisor';

/**
 * More issues than agents can work on. A forgotten older write looks like a person's, which is
 * safe.
 */
const REMEMBERED = 1_000;

/**
 * Remembers our own writes. An agent that moves its issue twice still has the copy from before the
 * first move; without this its own change would look like a person's.
 */
export class OwnWrites {
  /** The latest write last. Only the fields that updates compare: a description can be long. */
  readonly #left = new Map<string, Pick<Issue, 'state' | 'labels' | 'updated_at'>>();

  remember({id, state, labels, updated_at}: Issue): void {
    this.#left.delete(id);
    this.#left.set(id, {state, labels, updated_at});
    const [oldest] = this.#left.keys();
    if (this.#left.size > REMEMBERED && oldest !== undefined) this.#left.delete(oldest);
  }

  /**
   * What the caller can be assumed to know. An agent knows its own writes; the supervisor knows
   * what it has read, and a move by an agent that it has not read yet stands like a person's.
   */
  knownTo(caller: Caller, issue: Issue): Issue {
    const left = this.#left.get(issue.id);
    if (left === undefined || caller === 'supervisor') return issue;
    return (left.updated_at ?? '') >= (issue.updated_at ?? '') ? {...issue, ...left} : issue;
  }
}
