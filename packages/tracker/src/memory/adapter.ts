import type {BlockerRef, Issue, ToolResult, ToolSpec} from '@symphony-supervisor/protocol';
import type {TrackerAdapter, WriteOutcome} from '../adapter.ts';
import {type Answer, type Answered, answer, answering} from '../answer.ts';
import {
  type MalformedRecord,
  type NamedIssue,
  type Records,
  selectByIdentifiers,
  selectByIds,
  selectByStates,
  separateTwins,
  surveyOf,
} from '../records.ts';
import type {OpenAdapter} from '../registry.ts';
import {type Caller, changesOf, type IssueUpdate, OwnWrites, planUpdate} from '../update/update.ts';
import {callUpdateIssue} from '../update/update-tool.ts';
import {toMemoryIssue} from './normalize.ts';
import {MEMORY_TOOLS} from './tools.ts';

export const openMemoryTracker = (({provider}) =>
  new MemoryTracker(Array.isArray(provider.issues) ? provider.issues : [])) satisfies OpenAdapter;

/** Issues that live in the workflow file and, once changed, in memory: for tests and examples. */
export class MemoryTracker implements TrackerAdapter {
  readonly #issues: Map<string, Issue>;
  readonly #malformed: readonly MalformedRecord[];
  readonly #comments = new Map<string, string[]>();
  readonly #ownWrites = new OwnWrites();
  readonly #listeners = new Set<() => void>();

  constructor(entries: readonly unknown[]) {
    const malformed: MalformedRecord[] = [];
    const named: NamedIssue[] = [];
    for (const [index, entry] of entries.entries()) {
      const where = `tracker.provider.issues[${index}]`;
      const issue = toMemoryIssue(entry, where);
      if ('problem' in issue) malformed.push(issue);
      else named.push({where, issue});
    }
    const unique = separateTwins(named);
    this.#issues = new Map(unique.kept.map(({issue}) => [issue.id, issue]));
    this.#malformed = [...malformed, ...unique.malformed];
  }

  issuesByStates(states: readonly string[], signal: AbortSignal) {
    return answering(signal, () =>
      states.length === 0 ? answer([]) : selectByStates(this.#records(), states),
    );
  }

  issuesByIds(ids: readonly string[], signal: AbortSignal) {
    return answering(signal, () => selectByIds(this.#records(), ids));
  }

  issuesByIdentifiers(identifiers: readonly string[], signal: AbortSignal) {
    return answering(signal, () => selectByIdentifiers(this.#records(), identifiers));
  }

  transition(issue: Issue, state: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return answering(signal, () => this.#update('supervisor', issue, {state}));
  }

  comment(issue: Issue, text: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return answering(signal, () => this.#update('supervisor', issue, {comment: text}));
  }

  survey(signal: AbortSignal) {
    return answering(signal, () => surveyOf('tracker.provider.issues', this.#records()));
  }

  tools(_issue: Issue): readonly ToolSpec[] {
    return MEMORY_TOOLS;
  }

  callTool(issue: Issue, name: string, args: unknown, signal: AbortSignal): Promise<ToolResult> {
    return callUpdateIssue(name, args, (update) =>
      answering(signal, () => this.#update('agent', issue, update)),
    );
  }

  watch(onChange: () => void): AsyncDisposable {
    // One subscription each, even if two share a callback.
    const listener = () => onChange();
    this.#listeners.add(listener);
    return {[Symbol.asyncDispose]: async () => void this.#listeners.delete(listener)};
  }

  /** The comments of an issue, oldest first. */
  comments(id: string): readonly string[] {
    return this.#comments.get(id) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
  }

  #update(caller: Caller, issue: Issue, wanted: IssueUpdate): Answered<WriteOutcome> {
    const found = this.#issues.get(issue.id);
    if (found === undefined) return answer({outcome: 'conflict', found: null});
    const plan = planUpdate(this.#ownWrites.knownTo(caller, issue), found, wanted);
    if (plan.do === 'yield') {
      return answer({outcome: 'conflict', found: this.#current(found)});
    }
    if (plan.do === 'nothing') {
      return answer({outcome: 'unchanged', issue: this.#current(found)});
    }
    const {state = found.state, labels = found.labels, comment} = plan.changes;
    const written = {...found, state, labels: [...labels], updated_at: new Date().toISOString()};
    this.#issues.set(found.id, written);
    if (comment !== undefined) {
      this.#comments.set(found.id, [...this.comments(found.id), comment]);
    }
    this.#ownWrites.remember(written);
    for (const listener of this.#listeners) listener();
    const changed = changesOf(plan.changes);
    return answer({outcome: 'written', issue: this.#current(written), changed});
  }

  #records(): Records {
    const issues = [...this.#issues.values()].map((issue) => this.#current(issue));
    return {issues, malformed: this.#malformed};
  }

  /** A blocker among our own issues has its current state. */
  #current(issue: Issue): Issue {
    return {...issue, blocked_by: issue.blocked_by.map((blocker) => this.#currentBlocker(blocker))};
  }

  #currentBlocker(blocker: BlockerRef): BlockerRef {
    const named = [...this.#issues.values()].find(
      ({id, identifier}) => id === blocker.id || identifier === blocker.identifier,
    );
    return named === undefined
      ? blocker
      : {id: named.id, identifier: named.identifier, state: named.state};
  }
}
