import {chmod, lstat, readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {removeFile} from '../files.ts';
import {freshId} from '../fresh-id.ts';
import {lookAt} from './contain.ts';
import type {Layout} from './layout.ts';
import {forgetRecord} from './record.ts';

/** Deletes a workspace and all that is remembered about it. Again is harmless. */
export async function removeWorkspace(layout: Layout): Promise<void> {
  if ((await lookAt(layout)) === 'folder') await discard(layout);
  await removeFile(layout.halfMade);
  await forgetRecord(layout);
  await emptyTrash(layout);
}

/**
 * Moves the folder out of the way in one step and only then deletes it: a deletion that is cut off
 * must not leave half a workspace under the name of a whole one.
 */
export async function discard(layout: Layout): Promise<void> {
  const grave = join(layout.trash, freshId());
  await rename(layout.path, grave);
  await deleteTree(grave);
}

/** What a deletion that was cut off, perhaps in a former life, has left. */
async function emptyTrash(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.trash)) await deleteTree(join(layout.trash, name));
}

async function deleteTree(path: string): Promise<void> {
  try {
    await rm(path, {recursive: true, force: true});
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // Some tools leave read-only folders behind, and those cannot be emptied as they are.
    await makeWritable(path);
    await rm(path, {recursive: true, force: true});
  }
}

async function makeWritable(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await makeWritable(join(path, name));
}
