import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {copyFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {identify} from '@symphony-supervisor/protocol/processes';
import {type Loaded, openStoreForReading} from '../../store/index.ts';
import {forPeople} from '../run/start-failure.ts';

/** Reads the store without changing anything: not even SQLite's side files are created. */
export async function lookIntoStore(
  stateDir: string,
): Promise<{loaded: Loaded | null; isLive: boolean}> {
  try {
    if (isHeld(stateDir)) return {loaded: await load(stateDir), isLive: true};
    const copy = mkdtempSync(join(tmpdir(), 'symphony-look-'));
    try {
      for (const name of ['symphony.db', 'symphony.db-wal']) {
        const path = join(stateDir, name);
        if (existsSync(path)) await copyFile(path, join(copy, name));
      }
      return {loaded: await load(copy), isLive: false};
    } finally {
      rmSync(copy, {recursive: true, force: true});
    }
  } catch (error) {
    throw forPeople(error);
  }
}

async function load(folder: string): Promise<Loaded | null> {
  const store = openStoreForReading(folder);
  if (store === null) return null;
  await using opened = store;
  return opened.load();
}

/** Decided by the note of the lock's holder; testing the lock itself would take it. */
export function isHeld(stateDir: string): boolean {
  try {
    const holder: unknown = JSON.parse(readFileSync(join(stateDir, 'lock.json'), 'utf8'));
    if (typeof holder !== 'object' || holder === null || !('pid' in holder)) return false;
    return typeof holder.pid === 'number' && identify(holder.pid) !== null;
  } catch {
    return false;
  }
}
