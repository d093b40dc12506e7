import {existsSync, renameSync, rmSync} from 'node:fs';
import {DatabaseSync} from '@photostructure/sqlite';
import {openForReading, schemaVersion} from '../database.ts';
import {makeDatabaseFile} from '../state-dir.ts';
import {isCorruption, StoreTooNew} from '../store-failure.ts';
import {copyFor} from '../upgrade/copies.ts';
import {MIGRATIONS} from '../upgrade/migrations.ts';
import {type Salvaged, salvage} from './salvage.ts';

/** A damaged store was set aside, and a new one was made of what could be read. */
export interface Damage {
  readonly reason: string;
  /** The damaged file; its `-wal` and `-shm` are beside it. */
  readonly setAside: string;
  readonly salvaged: Salvaged;
}

const COMPANIONS = ['-wal', '-shm'];

/** Damaged pages fail only when they are read, so all pages are read at start-up. */
export function findDamage(path: string): string | null {
  try {
    const db = openForReading(path);
    try {
      const found = schemaVersion(db);
      if (found > MIGRATIONS.length)
        throw new StoreTooNew(path, found, MIGRATIONS.length, copyFor(path, MIGRATIONS.length));
      const rows: unknown[] = db.prepare('PRAGMA quick_check(5)').all();
      const complaints = rows.map((row) => String((row as {quick_check: unknown}).quick_check));
      return complaints.join() === 'ok' ? null : complaints.join('; ');
    } finally {
      db.close();
    }
  } catch (error) {
    if (isCorruption(error)) return error instanceof Error ? error.message : String(error);
    throw error;
  }
}

/**
 * The new file is complete before the damaged one is renamed, so a crash leaves either the damaged
 * file in place, or no file and the new one beside it.
 */
export function repair(path: string, reason: string, now: Date): Damage {
  const rebuilt = rebuiltPath(path);
  rmSync(rebuilt, {force: true});
  rmSync(`${rebuilt}-journal`, {force: true});
  makeDatabaseFile(rebuilt);
  const salvaged = rebuild(path, rebuilt);

  const setAside = `${path}.corrupt-${now.toISOString().replaceAll(':', '-')}`;
  renameSync(path, setAside);
  for (const suffix of COMPANIONS) {
    if (existsSync(path + suffix)) renameSync(path + suffix, setAside + suffix);
  }
  renameSync(rebuilt, path);
  return {reason, setAside, salvaged};
}

/** The last step of a repair that a crash interrupted. */
export function finishRepair(path: string): void {
  if (existsSync(path) || !existsSync(rebuiltPath(path))) return;
  // The log of the damaged file would be replayed into the new one.
  for (const suffix of COMPANIONS) rmSync(path + suffix, {force: true});
  renameSync(rebuiltPath(path), path);
}

function rebuild(path: string, rebuilt: string): Salvaged {
  const target = new DatabaseSync(rebuilt);
  try {
    return salvage(path, target, rebuilt);
  } finally {
    target.close();
  }
}

function rebuiltPath(path: string): string {
  return `${path}.rebuilt`;
}
