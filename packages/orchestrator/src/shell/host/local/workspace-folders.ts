import {readdir, realpath} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {readRegularFile} from '@symphony-supervisor/protocol/regular-file';
import * as z from 'zod/mini';
import type {WorkspaceFolder} from '../host.ts';

const Owner = z.object({issue_id: z.string()});

/** Names with a leading dot are left out: our own folder has one, and others need not be workspaces. */
export async function workspacesIn(root: string): Promise<WorkspaceFolder[]> {
  try {
    const real = await realpath(root);
    const entries = await readdir(real, {withFileTypes: true});
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({name}) => join(real, name))
      .map((path) => ({path, issueId: ownerOf(path)}));
  } catch {
    return []; // there is none yet
  }
}

/** The runner writes down whose folder it made, beside it and out of the agent's reach. */
function ownerOf(path: string): string | null {
  try {
    const record = join(dirname(path), '.symphony', 'owners', `${basename(path)}.json`);
    return Owner.parse(JSON.parse(readRegularFile(record).toString())).issue_id;
  } catch {
    return null;
  }
}
