import {existsSync} from 'node:fs';
import {DatabaseSync, type DatabaseSyncInstance} from '@photostructure/sqlite';
import type {JsonObject} from './claims/claim-upgrades.ts';
import {isCorruption, StoreTooNew} from './store-failure.ts';
import {copyFor} from './upgrade/copies.ts';
import {MIGRATIONS, type Migration} from './upgrade/migrations.ts';

export type Database = DatabaseSyncInstance;

/**
 * Other readers of the file (a shell, a backup) are brief; the supervisor's loop waits meanwhile.
 */
const BUSY_TIMEOUT_MS = 200;
/** A checkpoint truncates the log to this size after a burst of writes. */
const WAL_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * The only connection that writes. WAL with `synchronous = NORMAL`: a commit survives the death of
 * this process by any means, kill -9 included. A power cut or a crash of the operating system can
 * lose the last commits (at most since the last checkpoint), but leaves a consistent database. FULL
 * would keep those, too, at the price of a disk flush per event; after a power cut agents and
 * runners are gone anyway, and the trackers are read again.
 */
export function openForWriting(path: string): Database {
  const db = new DatabaseSync(path, {timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true});
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
    // Detects a read-only file now and not at the first claim.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * For reading a file that may be damaged. Such a connection never writes, not even when it closes:
 * the binding keeps a connection open until its last statement is garbage collected, and by then
 * another file may have its name.
 */
export function openForReading(path: string): Database {
  return new DatabaseSync(path, {timeout: BUSY_TIMEOUT_MS, readOnly: true});
}

/**
 * Rolls back what a crash interrupted before the file had its write-ahead log; a read-only
 * connection cannot. Without a prepared statement the connection is really closed after `close`.
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
 * Moves everything into the one file. Closing alone does not: the connection lives as long as one
 * of its statements.
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

/** Each step and its number in one transaction: a crash leaves the store before or after it. */
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

/**
 * A claim that is not a JSON object is left unchanged: `load` cannot read it either and keeps its
 * text.
 */
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
    // After some failures (a full disk, a damaged page) SQLite has already rolled back, and a
    // second ROLLBACK would hide the cause behind its own error.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
