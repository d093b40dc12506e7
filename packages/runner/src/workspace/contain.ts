import {dirname} from 'node:path';
import {RunFailure} from '@symphony-supervisor/protocol';
import {DiskSilent, lstat, orNull, realpath} from '../processes/files.ts';
import type {Layout} from './layout.ts';

export type Found = 'folder' | 'nothing';

/**
 * What exists at the path of the workspace. Anything but a real folder directly inside the real root is
 * refused: following a link, or deleting a foreign file, would be an escape from the root.
 */
export async function lookAt(layout: Layout): Promise<Found> {
  const entry = await lstat(layout.path).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof DiskSilent) throw error;
    if (error.code === 'ENOENT') return null;
    throw new RunFailure('workspace_error', `${layout.path}: ${error.message}`, {cause: error});
  });
  if (entry === null) return 'nothing';
  if (entry.isSymbolicLink()) throw unsafe(layout, 'it is a symbolic link');
  if (!entry.isDirectory()) throw unsafe(layout, 'it is not a folder');
  await assertContained(layout);
  return 'folder';
}

/** Checked at creation, before launch and before removal: an agent may have moved things since. */
export async function assertContained(layout: Layout): Promise<void> {
  const real = await orNull(realpath(layout.path));
  if (real !== layout.path || dirname(real) !== layout.root || real === layout.root) {
    throw unsafe(layout, `it leads to ${real ?? 'nowhere'}`);
  }
}

export function isContained(layout: Layout): Promise<boolean> {
  return assertContained(layout).then(
    () => true,
    () => false,
  );
}

function unsafe(layout: Layout, why: string): RunFailure {
  return new RunFailure(
    'invalid_workspace_cwd',
    `the workspace ${layout.path} is not safe to use: ${why}. Move it away, then retry the issue`,
  );
}
