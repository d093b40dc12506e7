import type {ClaimKey, Counters} from '../core/claim.ts';
import type {Decision} from '../core/draft.ts';
import type {Delivered, Effect} from '../core/effect.ts';
import type {Event} from '../core/event.ts';
import type {State} from '../core/state.ts';
import type {Action, Release, RunBegun, StoreChange} from '../store/index.ts';

type RunEnded = Extract<Effect, {do: 'record-run'}>['record'];

/** Changes since the store was last written, collected until the next write. */
export class Unsaved {
  #claims = new Set<ClaimKey>();
  #counters = new Map<ClaimKey, Counters>();
  #workspaces = new Set<ClaimKey>();
  #kept = new Set<ClaimKey>();
  #runsBegun: RunBegun[] = [];
  #runsEnded: RunEnded[] = [];
  #actions: Action[] = [];
  #deliveries: Delivered[] = [];
  #releases = new Map<ClaimKey, Release>();
  #hasTotals = false;
  #hasPauses = false;

  note(event: Event, {state, effects, touched}: Decision): void {
    for (const key of touched.claims) this.#claims.add(key);
    for (const [key, counters] of touched.counters) this.#counters.set(key, counters);
    for (const key of touched.workspaces) this.#workspaces.add(key);
    for (const key of touched.kept) this.#kept.add(key);
    this.#hasTotals ||= touched.hasTotals;
    this.#hasPauses ||= touched.hasPauses;
    if (event.type === 'operator.commanded') {
      this.#actions.push({at: event.at, by: event.by, command: event.command});
    }
    for (const effect of effects) {
      if (effect.do === 'record-run') this.#runsEnded.push(effect.record);
      if (effect.do === 'record-delivery') this.#deliveries.push(effect.delivery);
      if (effect.do === 'record-release') this.#releases.set(effect.key, effect);
      if (effect.do === 'start-run') this.#runsBegun.push(runBegun(state, effect));
    }
  }

  get isEmpty(): boolean {
    const lists = [this.#runsBegun, this.#runsEnded, this.#deliveries, this.#actions];
    const sets = [this.#claims, this.#counters, this.#workspaces, this.#kept, this.#releases];
    const isUnchanged = sets.every(({size}) => size === 0);
    return (
      isUnchanged && !this.#hasTotals && !this.#hasPauses && lists.every(({length}) => length === 0)
    );
  }

  change(state: State): StoreChange {
    return {
      claims: new Map([...this.#claims].map((key) => [key, state.claims.get(key) ?? null])),
      counters: this.#counters,
      workspaces: new Map(
        [...this.#workspaces].map((key) => [key, state.workspaces.get(key) ?? []]),
      ),
      kept: new Map([...this.#kept].map((key) => [key, state.kept.get(key) ?? []])),
      runsBegun: this.#runsBegun,
      runsEnded: this.#runsEnded,
      deliveries: this.#deliveries,
      actions: this.#actions,
      releases: this.#releases,
      ...(this.#hasTotals ? {totals: state.totals} : {}),
      ...(this.#hasPauses ? {pausedProjects: pausedNames(state)} : {}),
    };
  }
}

function pausedNames(state: State): string[] {
  return [...state.projects.values()].filter(({isPaused}) => isPaused).map(({name}) => name);
}

function runBegun(state: State, {key, run}: Extract<Effect, {do: 'start-run'}>): RunBegun {
  const identifier = state.claims.get(key)?.issue.identifier ?? key;
  const {id: runId, host, role, attempt, startedAt} = run;
  return {key, runId, host, identifier, role, attempt, startedAt};
}
