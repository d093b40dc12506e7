import {lstat, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Log} from '../../shell/log.ts';
import {writeForOwner} from '../owner-file.ts';
import {newSecret} from './secret.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The tokens of a state directory: one for control, one for reading. Each has its own file. */
export class Tokens {
  readonly controlFile: string;
  readonly readFile: string;
  #control: string;
  #read: string;
  /** Rotations are serialized, so that the tokens in the files are the valid ones. */
  #rotated: Promise<void> = Promise.resolve();

  static async take(stateDir: string, log: Log): Promise<Tokens> {
    const files = tokenFiles(stateDir);
    return new Tokens(files, await take(files.control, log), await take(files.read, log));
  }

  private constructor(files: {control: string; read: string}, control: string, read: string) {
    this.controlFile = files.control;
    this.readFile = files.read;
    this.#control = control;
    this.#read = read;
  }

  get control(): string {
    return this.#control;
  }

  get read(): string {
    return this.#read;
  }

  /** The old tokens are void as soon as the new ones are on disk. */
  rotate(): Promise<void> {
    const rotating = this.#rotated.then(async () => {
      this.#control = await writeNew(this.controlFile);
      this.#read = await writeNew(this.readFile);
    });
    this.#rotated = rotating.catch(() => {});
    return rotating;
  }
}

export function tokenFiles(stateDir: string): {control: string; read: string} {
  return {control: join(stateDir, 'control-token'), read: join(stateDir, 'read-token')};
}

/** The token in the file, unless another user could have read or written it; then a new one. */
async function take(path: string, log: Log): Promise<string> {
  const kept = await readKept(path);
  if (kept.token !== null) return kept.token;
  if (kept.why !== null) log('warn', {path, reason: kept.why}, 'the token is replaced');
  return writeNew(path);
}

async function writeNew(path: string): Promise<string> {
  const token = newSecret();
  await writeForOwner(path, `${token}\n`);
  return token;
}

async function readKept(path: string): Promise<{token: string | null; why: string | null}> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null) return {token: null, why: null};
  if (!stats.isFile()) return {token: null, why: 'it is not a file'};
  if (stats.uid !== process.getuid?.()) return {token: null, why: 'it belongs to another user'};
  if ((stats.mode & 0o077) !== 0) return {token: null, why: 'other users can read or write it'};
  const text = (await readFile(path, 'utf8')).trim();
  return TOKEN.test(text) ? {token: text, why: null} : {token: null, why: 'it holds no token'};
}
