import {readdir, realpath} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {readRegularFile} from '@symphony-supervisor/protocol/regular-file';
import * as z from 'zod/mini';
import type {WorkspaceFolder} from '../host.ts';

const Owner = z.object({issue_id: z.string()});

/** Names with a leading dot are skipped: `.symphony` has one, and others need not be workspaces. */
export async function workspacesIn(root: string): Promise<WorkspaceFolder[]> {
  try {
    const real = await realpath(root);
    const entries = await readdir(real, {withFileTypes: true});
    const folders: WorkspaceFolder[] = [];
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const path = join(real, entry.name);
      folders.push({path, issueId: await ownerOf(path)});
    }
    return folders;
  } catch {
    return []; // there is none yet
  }
}

/** The runner records the owner of a folder that it created, beside it and out of the agent's reach. */
async function ownerOf(path: string): Promise<string | null> {
  try {
    const record = join(dirname(path), '.symphony', 'owners', `${basename(path)}.json`);
    return Owner.parse(JSON.parse((await readRegularFile(record)).toString())).issue_id;
  } catch {
    return null;
  }
}
