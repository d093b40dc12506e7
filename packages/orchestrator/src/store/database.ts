import {existsSync} from 'node:fs';
import {DatabaseSync, type DatabaseSyncInstance} from '@photostructure/sqlite';
import type {JsonObject} from './claims/claim-upgrades.ts';
import {isCorruption, StoreTooNew} from './store-failure.ts';
import {copyFor} from './upgrade/copies.ts';
import {MIGRATIONS, type Migration} from './upgrade/migrations.ts';

export type Database = DatabaseSyncInstance;

/** Whoever else looks into the file (a shell, a backup) is brief; the supervisor's loop waits meanwhile. */
const BUSY_TIMEOUT_MS = 200;
/** A checkpoint shrinks the log to this again, after a burst of writes. */
const WAL_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * The one connection that writes.
 *
 * WAL with `synchronous = NORMAL`: what was committed survives the death of this process by any means,
 * kill -9 included. A power cut or a crash of the operating system can take the last commits (since
 * the last checkpoint at most), but leaves a sound database. FULL would keep those too, for a wait on
 * the disk with each event; after a power cut agents and runners are gone anyway, and what the
 * trackers say is read again.
 */
export function openForWriting(path: string): Database {
  const db = new DatabaseSync(path, {timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true});
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
    // A file that can only be read is found out now, not at the first claim.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * For looking at a file that may be damaged. Such a connection never writes, not even when it ends:
 * the binding keeps a connection alive until the last of its statements is collected as garbage, and
 * by then the file may have been renamed and another one stand in its place.
 */
export function openForReading(path: string): Database {
  return new DatabaseSync(path, {timeout: BUSY_TIMEOUT_MS, readOnly: true});
}

/**
 * Undoes what a crash cut off before the file had its write-ahead log; whoever only reads could not.
 * Without a prepared statement the connection is truly gone after `close`.
 */
export function rollBackJournal(path: string): void {
  if (!existsSync(`${path}-journal`)) return;
  const db = new DatabaseSync(path, {timeout: BUSY_TIMEOUT_MS});
  try {
    db.exec('SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    if (!isCorruption(error)) throw error; // that is looked for, and answered, next
  } finally {
    db.close();
  }
}

/**
 * Leaves everything in the one file. Closing alone would not: the connection outlives it as long as
 * a statement of it does.
 */
export function closeDatabase(db: Database): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // On a full disk the log stays beside the file; the next start reads both.
  }
  db.close();
}

export function schemaVersion(db: Database): number {
  const row: unknown = db.prepare('SELECT user_version AS version FROM pragma_user_version').get();
  return typeof row === 'object' && row !== null && 'version' in row ? Number(row.version) : 0;
}

/** Each step with its number in one transaction: a crash leaves the store before it or after it. */
export function migrate(db: Database, path: string, migrations = MIGRATIONS): void {
  const found = schemaVersion(db);
  if (found > migrations.length)
    throw new StoreTooNew(path, found, migrations.length, copyFor(path, migrations.length));
  for (const [index, {schema, claim}] of migrations.entries()) {
    if (index < found) continue;
    inTransaction(db, () => {
      db.exec(`${schema}; PRAGMA user_version = ${index + 1}`);
      if (claim !== undefined) upgradeClaims(db, claim);
    });
  }
}

/** A claim that is no JSON object is left as it is: `load` cannot read it either, and keeps its text. */
function upgradeClaims(db: Database, upgrade: NonNullable<Migration['claim']>): void {
  const rows = db.prepare('SELECT rowid AS id, claim FROM claims').all() as ClaimText[];
  const save = db.prepare('UPDATE claims SET claim = ? WHERE rowid = ?');
  for (const {id, claim} of rows) {
    const value = parsed(claim);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      save.run(JSON.stringify(upgrade(value as JsonObject)), id);
    }
  }
}

interface ClaimText {
  readonly id: number;
  readonly claim: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function inTransaction<T>(db: Database, act: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = act();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // After some failures (a full disk, a damaged page) SQLite has rolled back already, and a
    // ROLLBACK of nothing would hide the reason behind an error of its own.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
