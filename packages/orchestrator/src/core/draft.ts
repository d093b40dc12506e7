import {type Claim, type ClaimKey, type Counters, NO_COUNTERS, type Workspace} from './claim.ts';
import type {Effect} from './effect.ts';
import type {Kept} from './life/kept.ts';
import {loadedProject, type Project, type State} from './state.ts';

export interface Decision {
  readonly state: State;
  readonly effects: readonly Effect[];
  readonly touched: Touched;
}

/** What a decision replaced, which is what the store must write. No comparison is needed to find it. */
export interface Touched {
  readonly claims: ReadonlySet<ClaimKey>;
  /** With their values, because the counters of a released issue are no longer in the State. */
  readonly counters: ReadonlyMap<ClaimKey, Counters>;
  readonly workspaces: ReadonlySet<ClaimKey>;
  readonly kept: ReadonlySet<ClaimKey>;
  readonly hasTotals: boolean;
  /** A project was paused or resumed. */
  readonly hasPauses: boolean;
}

/** A decision in progress. It is not visible outside; the state before it is not changed. */
export class Draft {
  readonly at: number;
  readonly effects: Effect[] = [];
  #state: State;
  #claims: Map<ClaimKey, Claim> | null = null;
  #isRefillWanted = false;
  readonly #touched = {
    claims: new Set<ClaimKey>(),
    counters: new Map<ClaimKey, Counters>(),
    workspaces: new Set<ClaimKey>(),
    kept: new Set<ClaimKey>(),
    hasTotals: false,
    hasPauses: false,
  };

  constructor(state: State, at: number) {
    this.#state = state;
    this.at = at;
  }

  get state(): State {
    return this.#state;
  }

  get claims(): ReadonlyMap<ClaimKey, Claim> {
    return this.#claims ?? this.#state.claims;
  }

  done(): Decision {
    const state = this.#claims === null ? this.#state : {...this.#state, claims: this.#claims};
    return {state, effects: this.effects, touched: this.#touched};
  }

  order(...effects: Effect[]): void {
    this.effects.push(...effects);
  }

  /** A slot may have become free, or an issue ready to start: slots are filled once the event is handled. */
  refill(): void {
    this.#isRefillWanted = true;
  }

  get isRefillWanted(): boolean {
    return this.#isRefillWanted;
  }

  put(key: ClaimKey, claim: Claim): void {
    this.#touched.claims.add(key);
    this.#claims ??= new Map(this.#state.claims);
    this.#claims.set(key, claim);
  }

  drop(key: ClaimKey): void {
    this.#touched.claims.add(key);
    this.#claims ??= new Map(this.#state.claims);
    this.#claims.delete(key);
    if (!this.#state.counters.has(key)) return;
    const counters = new Map(this.#state.counters);
    counters.delete(key);
    this.#state = {...this.#state, counters};
  }

  counters(key: ClaimKey): Counters {
    return this.#state.counters.get(key) ?? NO_COUNTERS;
  }

  count(key: ClaimKey, change: Partial<Counters>): void {
    const counters = {...this.counters(key), ...change};
    this.#touched.counters.set(key, counters);
    this.#setCounters(key, counters);
  }

  /** As in the store, so there is nothing to write. Values counted since then are newer. */
  learnCounters(key: ClaimKey, counters: Counters): void {
    if (!this.#state.counters.has(key)) this.#setCounters(key, counters);
  }

  #setCounters(key: ClaimKey, counters: Counters): void {
    this.#state = {...this.#state, counters: new Map(this.#state.counters).set(key, counters)};
  }

  workspaces(key: ClaimKey): readonly Workspace[] {
    return this.#state.workspaces.get(key) ?? [];
  }

  writeWorkspaces(key: ClaimKey, ofIssue: readonly Workspace[]): void {
    this.#touched.workspaces.add(key);
    const workspaces = new Map(this.#state.workspaces);
    if (ofIssue.length === 0) workspaces.delete(key);
    else workspaces.set(key, ofIssue);
    this.#state = {...this.#state, workspaces};
  }

  kept(key: ClaimKey): readonly Kept[] {
    return this.#state.kept.get(key) ?? [];
  }

  writeKept(key: ClaimKey, workspaces: readonly Kept[]): void {
    this.#touched.kept.add(key);
    const kept = new Map(this.#state.kept);
    if (workspaces.length === 0) kept.delete(key);
    else kept.set(key, workspaces);
    this.#state = {...this.#state, kept};
  }

  /** null: it is not loaded, or not yet. */
  project(name: string): Project | null {
    return this.#state.projects.get(name) ?? null;
  }

  loaded(name: string): Project {
    return loadedProject(this.#state, name);
  }

  projectOf({project}: Pick<Claim, 'project'>): Project {
    return this.loaded(project);
  }

  writeProject(name: string, change: Partial<Project>): Project {
    return this.addProject({...this.loaded(name), ...change});
  }

  write(
    change: Partial<Omit<State, 'claims' | 'counters' | 'workspaces' | 'kept' | 'projects'>>,
  ): void {
    this.#touched.hasTotals ||= change.totals !== undefined;
    this.#state = {...this.#state, ...change};
  }

  addProject(project: Project): Project {
    const wasPaused = this.#state.projects.get(project.name)?.isPaused ?? false;
    this.#touched.hasPauses ||= project.isPaused !== wasPaused;
    const projects = new Map(this.#state.projects).set(project.name, project);
    this.#state = {...this.#state, projects};
    return project;
  }

  nextRunId(): string {
    const number = this.#state.runsReserved + 1;
    this.#state = {...this.#state, runsReserved: number};
    return `${this.#state.life}-${number}`;
  }

  nextMessageId(): string {
    const number = this.#state.messagesTaken + 1;
    this.#state = {...this.#state, messagesTaken: number};
    return `${this.#state.life}-m${number}`;
  }
}
