import {RunFailure} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {orNull, readRegularText, removeFile, rename, writeFile} from '../processes/files.ts';
import type {Layout} from './layout.ts';

/** The state of a workspace: its commit, if there is one, and a digest of its content. */
const WorkState = z.object({head: z.nullable(z.string()), tree: z.nullable(z.string())});
export type WorkState = z.infer<typeof WorkState>;

/** The record of a workspace folder, beside it and out of the agent's reach. */
const WorkspaceRecord = z.object({
  issue_id: z.string(),
  identifier: z.string(),
  created_at: z.string(),
  /**
   * Where git keeps its data, outside the workspace in case of a worktree. Found once, before an agent first
   * ran here: later the agent could have changed `.git`.
   */
  git_dirs: z.nullable(z.array(z.string())),
  /** The last state for which `deliver` succeeded. */
  delivered: z.optional(WorkState),
  /** `deliver` has failed, and has not succeeded since. */
  delivery_failed: z.optional(z.boolean()),
  /**
   * The operators' messages that were sent to a conversation. The supervisor keeps a message until it has
   * stored that a turn began with it; killed before that, it sends the message again.
   */
  given_messages: z.optional(z.object({thread_id: z.string(), ids: z.array(z.string())})),
});
export type WorkspaceRecord = z.infer<typeof WorkspaceRecord>;

export async function readRecord(layout: Layout): Promise<WorkspaceRecord | null> {
  const text = await orNull(readRegularText(layout.record));
  if (text === null) return null;
  try {
    return WorkspaceRecord.parse(JSON.parse(text));
  } catch {
    throw new RunFailure(
      'workspace_conflict',
      `${layout.record} is damaged, so the owner of the workspace ${layout.path} is unknown. ` +
        'Move both away, then retry the issue',
    );
  }
}

export async function writeRecord(layout: Layout, record: WorkspaceRecord): Promise<void> {
  const draft = `${layout.record}.draft`;
  await writeFile(draft, `${JSON.stringify(record)}\n`, 0o600);
  await rename(draft, layout.record);
}

export async function forgetRecord(layout: Layout): Promise<void> {
  await removeFile(layout.record);
}

/** Keys are distinct, but a case-insensitive disk has one folder for two of them. */
export function assertOwner(layout: Layout, record: WorkspaceRecord, identifier: string): void {
  if (record.identifier === identifier) return;
  throw new RunFailure(
    'workspace_conflict',
    `the workspace ${layout.path} belongs to ${record.identifier}; ` +
      'two identifiers that differ in case only cannot share a disk that ignores case',
  );
}
