import {join} from 'node:path';
import {migrate, openForWriting, rollBackJournal} from './database.ts';
import {type Damage, findDamage, finishRepair, repair} from './repair.ts';
import {makeDatabaseFile, makeStateDir} from './state-dir.ts';
import {type Observe, Store} from './store.ts';
import {StoreFailure, StoreTooNew} from './store-failure.ts';

export interface StoreOptions {
  readonly observe?: Observe;
  /** Names a damaged file that is set aside. */
  readonly now?: () => Date;
}

export interface OpenedStore {
  readonly store: Store;
  /** null: the file was sound, or new. */
  readonly damage: Damage | null;
}

/**
 * Only for whoever holds the `InstanceLock` of this directory: a damaged file is replaced here.
 * Throws `StoreTooNew` or `StoreFailure`.
 */
export function openStore(stateDir: string, options: StoreOptions = {}): OpenedStore {
  const {observe = () => {}, now = () => new Date()} = options;
  makeStateDir(stateDir);
  const path = join(stateDir, 'symphony.db');
  try {
    finishRepair(path);
    makeDatabaseFile(path);
    rollBackJournal(path);
    const reason = findDamage(path);
    const damage = reason === null ? null : repair(path, reason, now());
    const db = openForWriting(path);
    migrate(db, path);
    return {store: new Store(db, observe), damage};
  } catch (error) {
    if (error instanceof StoreTooNew) throw error;
    throw StoreFailure.from(error, `the store ${path} cannot be opened`);
  }
}
