import {type Book, type Claim, type ClaimKey, EMPTY_BOOK} from './claim.ts';
import type {Effect} from './effect.ts';
import {loadedProject, type Project, type State} from './state.ts';

export interface Decision {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/** One decision while it is being made. Nothing outside sees it; the state it began with stays as it is. */
export class Draft {
  readonly at: number;
  readonly effects: Effect[] = [];
  #state: State;
  #claims: Map<ClaimKey, Claim> | null = null;

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
    return {state, effects: this.effects};
  }

  order(...effects: Effect[]): void {
    this.effects.push(...effects);
  }

  put(key: ClaimKey, claim: Claim): void {
    this.#claims ??= new Map(this.#state.claims);
    this.#claims.set(key, claim);
  }

  drop(key: ClaimKey): void {
    this.#claims ??= new Map(this.#state.claims);
    this.#claims.delete(key);
  }

  book(key: ClaimKey): Book {
    return this.#state.books.get(key) ?? EMPTY_BOOK;
  }

  writeBook(key: ClaimKey, change: Partial<Book>): void {
    const books = new Map(this.#state.books).set(key, {...this.book(key), ...change});
    this.#state = {...this.#state, books};
  }

  workspaces(key: ClaimKey): readonly string[] {
    return this.#state.workspaces.get(key) ?? [];
  }

  writeWorkspaces(key: ClaimKey, paths: readonly string[]): void {
    const workspaces = new Map(this.#state.workspaces);
    if (paths.length === 0) workspaces.delete(key);
    else workspaces.set(key, paths);
    this.#state = {...this.#state, workspaces};
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

  write(change: Partial<Omit<State, 'claims' | 'books' | 'workspaces' | 'projects'>>): void {
    this.#state = {...this.#state, ...change};
  }

  addProject(project: Project): Project {
    const projects = new Map(this.#state.projects).set(project.name, project);
    this.#state = {...this.#state, projects};
    return project;
  }

  nextRunId(): string {
    const number = this.#state.runsReserved + 1;
    this.#state = {...this.#state, runsReserved: number};
    return `${this.#state.life}-${number}`;
  }
}
