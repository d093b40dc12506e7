import type {ClaimKey} from '../core/claim.ts';
import type {Effect} from '../core/effect.ts';
import type {Event} from '../core/event.ts';
import type {State} from '../core/state.ts';
import type {Action, RunBegun, StoreChange} from '../store/index.ts';

type RunEnded = Extract<Effect, {do: 'record-run'}>['record'];

/** What has changed since the store was last written, gathered until it is. */
export class Unsaved {
  #claims = new Set<ClaimKey>();
  #books = new Set<ClaimKey>();
  #workspaces = new Set<ClaimKey>();
  #runsBegun: RunBegun[] = [];
  #runsEnded: RunEnded[] = [];
  #actions: Action[] = [];
  #hasTotals = false;
  #hasPauses = false;

  /** One decision: what it replaced is found by comparing, so nobody can forget to say it. */
  note(before: State, after: State, event: Event, effects: readonly Effect[]): void {
    noteChanges(this.#claims, before.claims, after.claims);
    noteChanges(this.#books, before.books, after.books);
    noteChanges(this.#workspaces, before.workspaces, after.workspaces);
    this.#hasTotals ||= before.totals !== after.totals;
    this.#hasPauses ||= pausedNames(before).join() !== pausedNames(after).join();
    if (event.type === 'operator.commanded') {
      this.#actions.push({at: event.at, by: event.by, command: event.command});
    }
    for (const effect of effects) {
      if (effect.do === 'record-run') this.#runsEnded.push(effect.record);
      if (effect.do === 'start-run') this.#runsBegun.push(runBegun(after, effect));
    }
  }

  get isEmpty(): boolean {
    const lists = [this.#runsBegun, this.#runsEnded, this.#actions];
    const sets = [this.#claims, this.#books, this.#workspaces];
    const isUnchanged = sets.every(({size}) => size === 0);
    return (
      isUnchanged && !this.#hasTotals && !this.#hasPauses && lists.every(({length}) => length === 0)
    );
  }

  change(state: State): StoreChange {
    return {
      claims: new Map([...this.#claims].map((key) => [key, state.claims.get(key) ?? null])),
      books: new Map([...this.#books].map((key) => [key, state.books.get(key) ?? null])),
      workspaces: new Map(
        [...this.#workspaces].map((key) => [key, state.workspaces.get(key) ?? []]),
      ),
      runsBegun: this.#runsBegun,
      runsEnded: this.#runsEnded,
      actions: this.#actions,
      ...(this.#hasTotals ? {totals: state.totals} : {}),
      ...(this.#hasPauses ? {pausedProjects: pausedNames(state)} : {}),
    };
  }
}

function pausedNames(state: State): string[] {
  return [...state.projects.values()].filter(({isPaused}) => isPaused).map(({name}) => name);
}

function noteChanges<T>(
  keys: Set<ClaimKey>,
  before: ReadonlyMap<ClaimKey, T>,
  after: ReadonlyMap<ClaimKey, T>,
): void {
  if (before === after) return;
  for (const [key, value] of after) if (before.get(key) !== value) keys.add(key);
  for (const key of before.keys()) if (!after.has(key)) keys.add(key);
}

function runBegun(state: State, {key, run}: Extract<Effect, {do: 'start-run'}>): RunBegun {
  const identifier = state.claims.get(key)?.issue.identifier ?? key;
  return {key, runId: run.id, identifier, attempt: run.attempt, startedAt: run.startedAt};
}
