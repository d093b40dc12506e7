import {randomBytes} from 'node:crypto';
import {lstat, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Log} from '../shell/log.ts';
import {writeForOwner} from './owner-file.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface ControlToken {
  readonly path: string;
  readonly token: string;
}

/** The one that is there, unless somebody else could have read or written it; else a new one. */
export async function takeControlToken(stateDir: string, log: Log): Promise<ControlToken> {
  const path = join(stateDir, 'control-token');
  const kept = await readKept(path);
  if (kept.token !== null) return {path, token: kept.token};
  if (kept.why !== null) log('warn', {path, reason: kept.why}, 'the control token is replaced');
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await writeForOwner(path, `${token}\n`);
  return {path, token};
}

async function readKept(path: string): Promise<{token: string | null; why: string | null}> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null) return {token: null, why: null};
  if (!stats.isFile()) return {token: null, why: 'it is not a file'};
  if (stats.uid !== process.getuid?.()) return {token: null, why: 'it belongs to another user'};
  if ((stats.mode & 0o077) !== 0) return {token: null, why: 'others may read or write it'};
  const text = (await readFile(path, 'utf8')).trim();
  return TOKEN.test(text) ? {token: text, why: null} : {token: null, why: 'it holds no token'};
}
