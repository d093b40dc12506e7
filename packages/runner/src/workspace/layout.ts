import {basename, dirname, join} from 'node:path';
import {RunFailure, workspaceKey} from '@symphony-supervisor/protocol';
import {chmod, lstat, mkdir, orNull, realpath} from '../processes/files.ts';

/** The paths of one workspace, after its root was verified. */
export interface Layout {
  /** Real path, symlinks resolved. */
  readonly root: string;
  readonly key: string;
  /** `<root>/<key>`; whatever exists there. */
  readonly path: string;
  /** The owner of the folder, and facts recorded at its creation. */
  readonly record: string;
  /** Its content after `after_create`, before an agent first ran in it. */
  readonly start: string;
  readonly lock: string;
  /** Exists until `after_create` has succeeded: until then the workspace is unfinished. */
  readonly halfMade: string;
  /** Folders that are being deleted. */
  readonly trash: string;
  /** Private temporary folders, one per run. */
  readonly tmp: string;
}

/** The runner's own folder inside every workspace root. No workspace key can have its name. */
const OURS = '.symphony';
/** Only the owner may access the work of agents. */
export const OWNER_ONLY = 0o700;

export async function layOut(workspaceRoot: string, identifier: string): Promise<Layout> {
  return layOutKey(workspaceRoot, workspaceKey(identifier));
}

/** For a recorded workspace: its path counts, even if the settings have changed. */
export async function layOutRecorded(workspacePath: string): Promise<Layout> {
  return layOutKey(dirname(workspacePath), basename(workspacePath));
}

async function layOutKey(workspaceRoot: string, key: string): Promise<Layout> {
  if (['', '.', '..', OURS].includes(key.toLowerCase())) {
    throw new RunFailure('invalid_workspace_cwd', `"${key}" cannot be a workspace folder`);
  }
  try {
    await mkdir(workspaceRoot, {recursive: true, mode: OWNER_ONLY});
    const root = await realpath(workspaceRoot);
    const ours = join(root, OURS);
    await ensureOwn(ours);
    for (const name of ['owners', 'start', 'locks', 'half-made', 'trash', 'tmp']) {
      await ensureOwn(join(ours, name));
    }
    return {
      root,
      key,
      path: join(root, key),
      record: join(ours, 'owners', `${key}.json`),
      start: join(ours, 'start', `${key}.json`),
      lock: join(ours, 'locks', key),
      halfMade: join(ours, 'half-made', key),
      trash: join(ours, 'trash'),
      tmp: join(ours, 'tmp'),
    };
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    throw new RunFailure(
      'workspace_error',
      `workspace root ${workspaceRoot} cannot be used: ${reasonOf(error)}`,
      {cause: error},
    );
  }
}

/** A folder of the runner: created, or found and closed to other users. */
async function ensureOwn(path: string): Promise<void> {
  await refuseLink(path);
  await mkdir(path, {recursive: true, mode: OWNER_ONLY});
  const {mode} = await lstat(path);
  // Created by an older version. Another user's, in a shared root, is not changed.
  if ((mode & 0o077) !== 0) await chmod(path, OWNER_ONLY).catch(() => {});
}

/** An agent that may write the root could redirect these folders, in which the runner writes and deletes. */
export async function refuseLink(path: string): Promise<void> {
  const entry = await orNull(lstat(path));
  if (entry?.isSymbolicLink()) {
    throw new RunFailure('invalid_workspace_cwd', `${path} is a symbolic link; remove it`);
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
