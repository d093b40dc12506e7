import {removeFile} from '../processes/files.ts';
import {lookAt} from './contain.ts';
import type {Layout} from './layout.ts';
import {forgetRecord} from './record.ts';
import {discard, emptyTrash, type OnStuck} from './trash.ts';

/**
 * Deletes a workspace and all that is remembered about it. Again is harmless. It fails only if the folder cannot
 * be moved out of the way; what then cannot be deleted is trash, and told of as such.
 */
export async function removeWorkspace(layout: Layout, onStuck: OnStuck): Promise<void> {
  if ((await lookAt(layout)) === 'folder') await discard(layout, onStuck);
  await removeFile(layout.halfMade);
  await forgetRecord(layout);
  await removeFile(layout.start);
  await emptyTrash(layout, onStuck);
}
