import {closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import type {Database} from '../database.ts';
import {OWNER_ONLY_FILE} from '../state-dir.ts';

/** How many copies of former versions are kept. */
const KEPT = 2;

/** A consistent copy in one file, while the database is in use. Never written over an existing file. */
export function copyDatabase(db: Database, path: string): void {
  const file = openSync(path, 'wx', OWNER_ONLY_FILE);
  try {
    db.prepare('VACUUM INTO ?').run(path);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, {force: true});
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Before an upgrade: a copy of the store as the former release left it, for a downgrade. */
export function keepFormerVersion(db: Database, path: string, version: number): void {
  const draft = `${path}.v${version}.part`;
  rmSync(draft, {force: true});
  copyDatabase(db, draft);
  renameSync(draft, formerVersion(path, version));
  const versions = keptVersions(path).sort((a, b) => b - a);
  for (const old of versions.slice(KEPT)) rmSync(formerVersion(path, old), {force: true});
}

/** The copy that a release up to this version can use; null if there is none. */
export function copyFor(path: string, known: number): string | null {
  const copy = formerVersion(path, known);
  return existsSync(copy) ? copy : null;
}

function formerVersion(path: string, version: number): string {
  return `${path}.v${version}`;
}

function keptVersions(path: string): number[] {
  const prefix = `${basename(path)}.v`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((version) => /^\d+$/.test(version))
    .map(Number);
}
