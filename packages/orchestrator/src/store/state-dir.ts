import {closeSync, mkdirSync, openSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {StoreFailure} from './store-failure.ts';

/** Issues, prompts and a control token are kept here: for the owner only. */
const OWNER_ONLY_DIR = 0o700;
export const OWNER_ONLY_FILE = 0o600;

/** The folder usually sits in a repository, beside the workflow file: git must not see it. */
export function makeStateDir(stateDir: string): void {
  try {
    mkdirSync(stateDir, {recursive: true, mode: OWNER_ONLY_DIR});
    writeUnlessThere(join(stateDir, '.gitignore'), '*\n');
  } catch (error) {
    throw StoreFailure.from(error, `the state directory ${stateDir} cannot be used`);
  }
}

/**
 * An empty file is an empty database. SQLite would create it by umask alone; its companions (`-wal`,
 * `-shm`) take the mode of the file that they find.
 */
export function makeDatabaseFile(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY_FILE));
}

function writeUnlessThere(path: string, content: string): void {
  try {
    writeFileSync(path, content, {flag: 'wx'});
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
