import {randomBytes} from 'node:crypto';
import {open, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {OWNER_ONLY_FILE} from '../store/state-dir.ts';

/** Writes a file atomically; at no moment can another user read it. */
export async function writeForOwner(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(draft, 'wx', OWNER_ONLY_FILE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, {force: true});
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be written in ${dirname(path)}: ${reason}`, {cause: error});
  }
}
