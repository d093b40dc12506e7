import {removeFile} from '../processes/files.ts';
import {lookAt} from './contain.ts';
import type {Layout} from './layout.ts';
import {forgetRecord} from './record.ts';
import {discard, emptyTrash, type OnStuck} from './trash.ts';

/**
 * Deletes a workspace and its records. Idempotent. It fails only if the folder cannot be moved away; files
 * that then cannot be deleted are trash, and reported as such.
 */
export async function removeWorkspace(layout: Layout, onStuck: OnStuck): Promise<void> {
  if ((await lookAt(layout)) === 'folder') await discard(layout, onStuck);
  await removeFile(layout.halfMade);
  await forgetRecord(layout);
  await removeFile(layout.start);
  await emptyTrash(layout, onStuck);
}
