import type {ClaimKey, Counters} from '../core/claim.ts';
import type {Action, RunBegun, StoreChange} from './change.ts';
import {closeDatabase, type Database} from './database.ts';
import {
  actions,
  actionsOf,
  keysOf,
  lifetimeOf,
  openRuns,
  recentRuns,
  runsOf,
} from './history/history.ts';
import type {LifetimeTotals, RunRecord} from './history/history-rows.ts';
import {countersOf, type Loaded, load} from './load.ts';
import {type Keep, type Pruned, prune} from './prune.ts';
import {prepareSave, type Save} from './save.ts';
import {SessionTable} from './sessions.ts';
import {StoreFailure} from './store-failure.ts';
import {copyDatabase} from './upgrade/copies.ts';

/** For metrics: number, duration and result of saves. Must not throw. */
export type Observe = (what: StoreObservation) => void;
export type StoreObservation =
  | {readonly is: 'save-begun'}
  | {readonly is: 'save-ended'; readonly ok: boolean; readonly durationMs: number};

/** All state that outlives the process. Every failure is a `StoreFailure`. */
export class Store implements AsyncDisposable {
  readonly sessions: SessionTable;
  readonly #db: Database;
  readonly #save: Save;
  readonly #observe: Observe;

  constructor(db: Database, observe: Observe) {
    this.sessions = new SessionTable(db);
    this.#db = db;
    this.#save = prepareSave(db);
    this.#observe = observe;
  }

  /** Atomic. When it returns, a kill -9 loses none of it. */
  save(change: StoreChange): void {
    this.#observe({is: 'save-begun'});
    const begunAt = performance.now();
    let ok = false;
    try {
      this.#save(change);
      ok = true;
    } catch (error) {
      throw StoreFailure.from(error, 'the store cannot be written');
    } finally {
      this.#observe({is: 'save-ended', ok, durationMs: performance.now() - begunAt});
    }
  }

  load(): Loaded {
    return this.#read(() => load(this.#db));
  }

  countersOf(key: ClaimKey): Counters {
    return this.#read(() => countersOf(this.#db, key));
  }

  runsOf(key: ClaimKey, limit: number): readonly RunRecord[] {
    return this.#read(() => runsOf(this.#db, key, limit));
  }

  recentRuns(limit: number): readonly RunRecord[] {
    return this.#read(() => recentRuns(this.#db, limit));
  }

  /** Issues that have had this identifier, newest first. */
  keysOf(identifier: string): readonly ClaimKey[] {
    return this.#read(() => keysOf(this.#db, identifier));
  }

  openRuns(): readonly RunBegun[] {
    return this.#read(() => openRuns(this.#db));
  }

  actions(limit: number): readonly Action[] {
    return this.#read(() => actions(this.#db, limit));
  }

  actionsOf(key: ClaimKey, limit: number): readonly Action[] {
    return this.#read(() => actionsOf(this.#db, key, limit));
  }

  lifetimeOf(key: ClaimKey): LifetimeTotals {
    return this.#read(() => lifetimeOf(this.#db, key));
  }

  prune(keep: Keep, now: number): Pruned {
    try {
      return prune(this.#db, keep, now);
    } catch (error) {
      throw StoreFailure.from(error, 'the store cannot be pruned');
    }
  }

  /** A consistent copy in one file, without stopping anything. Never written over an existing file. */
  backup(path: string): void {
    try {
      copyDatabase(this.#db, path);
    } catch (error) {
      throw StoreFailure.from(error, `the backup ${path} cannot be written`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) closeDatabase(this.#db);
  }

  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw StoreFailure.from(error, 'the store cannot be read');
    }
  }
}
