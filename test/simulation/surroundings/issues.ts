import type {Issue} from '@symphony-supervisor/protocol';
import {anIssue} from '../../rig/fixtures/issue.ts';

export const STATES = ['Todo', 'In Progress', 'Review', 'Done'] as const;

interface Entry {
  readonly project: string;
  issue: Issue;
  /** As it was before its last change: what a stale read still says. */
  former: Issue;
  isGone: boolean;
  /** Who moved it last. */
}

/** All the issues of all projects, as they truly are. */
export class Issues {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  /** Told of every change. */
  onChange: (project: string) => void = () => {};

  constructor(now: () => number) {
    this.#now = now;
  }

  add(project: string, fields: Partial<Issue>): Issue {
    const number = this.#entries.size + 1;
    const issue = anIssue({
      id: `id-${number}`,
      identifier: `${project.toUpperCase()}-${number}`,
      title: `Issue ${number}`,
      state: 'Todo',
      created_at: this.#instant(),
      updated_at: this.#instant(),
      ...fields,
    });
    const entry = {project, issue, former: issue, isGone: false} as const;
    this.#entries.set(issue.id, {...entry});
    this.onChange(project);
    return issue;
  }

  /** As it is, with what its blockers are like; null if it is gone. */
  find(id: string, asItWas = false): Issue | null {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.isGone) return null;
    const issue = asItWas ? entry.former : entry.issue;
    if (issue.blocked_by.length === 0) return issue;
    const blocked_by = issue.blocked_by.map((blocker) => {
      const other = this.#entries.get(blocker.id ?? '');
      return {...blocker, state: other === undefined || other.isGone ? null : other.issue.state};
    });
    return {...issue, blocked_by};
  }

  of(project: string): Issue[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.project === project && !entry.isGone)
      .flatMap(({issue}) => this.find(issue.id) ?? []);
  }

  /** Every id there ever was. */
  get ids(): string[] {
    return [...this.#entries.keys()];
  }

  change(id: string, fields: Partial<Issue>): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.isGone) return;
    entry.former = entry.issue;
    entry.issue = {...entry.issue, ...fields, updated_at: this.#instant()};
    this.onChange(entry.project);
  }

  vanish(id: string, isGone: boolean): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.isGone = isGone;
    this.onChange(entry.project);
  }

  #instant(): string {
    return new Date(this.#now()).toISOString();
  }
}
