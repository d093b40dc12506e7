import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {
  migrate,
  openForReading,
  openForWriting,
  rollBackJournal,
  schemaVersion,
} from './database.ts';
import {type Damage, findDamage, finishRepair, repair} from './repair/repair.ts';
import {makeDatabaseFile, makeStateDir} from './state-dir.ts';
import {type Observe, Store} from './store.ts';
import {StoreFailure, StoreTooNew} from './store-failure.ts';
import {copyFor, keepFormerVersion} from './upgrade/copies.ts';
import {MIGRATIONS} from './upgrade/migrations.ts';

export interface StoreOptions {
  readonly observe?: Observe;
  /** Used in the name of a damaged file that is set aside. */
  readonly now?: () => Date;
}

export interface OpenedStore {
  readonly store: Store;
  /** null: the file was intact or new. */
  readonly damage: Damage | null;
}

/**
 * Only for the holder of the directory's `InstanceLock`, because it replaces a damaged file. Throws
 * `StoreTooNew` or `StoreFailure`.
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
    const version = schemaVersion(db);
    if (version > 0 && version < MIGRATIONS.length) keepFormerVersion(db, path, version);
    migrate(db, path);
    return {store: new Store(db, observe), damage};
  } catch (error) {
    if (error instanceof StoreTooNew) throw error;
    throw StoreFailure.from(error, `the store ${path} cannot be opened`);
  }
}

/** A read-only view beside the writer; null if there is no store, or an empty one. */
export function openStoreForReading(stateDir: string): Store | null {
  const path = join(stateDir, 'symphony.db');
  if (!existsSync(path)) return null;
  try {
    const db = openForReading(path);
    const found = schemaVersion(db);
    if (found > MIGRATIONS.length)
      throw new StoreTooNew(path, found, MIGRATIONS.length, copyFor(path, MIGRATIONS.length));
    if (found === MIGRATIONS.length) return new Store(db, () => {});
    db.close();
    if (found === 0) return null;
    const what = `${path} was written by an older version; start the supervisor once to migrate it`;
    throw new StoreFailure('store_failed', what);
  } catch (error) {
    if (error instanceof StoreTooNew) throw error;
    throw StoreFailure.from(error, `the store ${path} cannot be read`);
  }
}
