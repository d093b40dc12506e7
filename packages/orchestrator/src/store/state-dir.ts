import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {StoreFailure} from './store-failure.ts';

/** The directory holds issues, prompts and tokens: for the owner only. */
const OWNER_ONLY_DIR = 0o700;
export const OWNER_ONLY_FILE = 0o600;

/** The directory is usually inside a repository, beside the workflow file: git must ignore it. */
export function makeStateDir(stateDir: string): void {
  try {
    mkdirSync(stateDir, {recursive: true, mode: OWNER_ONLY_DIR});
    writeUnlessThere(join(stateDir, '.gitignore'), '*\n');
  } catch (error) {
    throw StoreFailure.from(error, `the state directory ${stateDir} cannot be used`);
  }
}

/**
 * An empty file is an empty database. SQLite would create it by umask; its side files (`-wal`,
 * `-shm`) inherit the mode of the file.
 */
export function makeDatabaseFile(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY_FILE));
}

/**
 * For its owner only: a reader could lock the file and so keep the supervisor from starting. An
 * existing file is not opened: closing it would release the locks of this process.
 */
export function makeLockFile(path: string): void {
  if (!existsSync(path)) return makeDatabaseFile(path);
  if ((statSync(path).mode & 0o777) !== OWNER_ONLY_FILE) chmodSync(path, OWNER_ONLY_FILE);
}

/** Search permission on the folder for the group or for others. */
const OTHERS_MAY_ENTER = 0o011;

/** Which other users can enter the state directory, and what to do; null if none can. */
export function stateDirExposure(stateDir: string): string | null {
  const {mode, uid} = statSync(stateDir);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    return `${stateDir} belongs to another user (uid ${uid}); use a folder of your own`;
  }
  if ((mode & OTHERS_MAY_ENTER) === 0) return null;
  const octal = (mode & 0o777).toString(8);
  return `other users can enter ${stateDir} (mode ${octal}); chmod 700 it`;
}

function writeUnlessThere(path: string, content: string): void {
  try {
    writeFileSync(path, content, {flag: 'wx'});
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
