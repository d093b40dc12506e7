import {basename, dirname, join} from 'node:path';
import {RunFailure, workspaceKey} from '@symphony-supervisor/protocol';
import {chmod, lstat, mkdir, orNull, realpath} from '../processes/files.ts';

/** Where everything about one workspace lies, once its root has been made sure of. */
export interface Layout {
  /** Real path, symlinks resolved. */
  readonly root: string;
  readonly key: string;
  /** `<root>/<key>`; says nothing about what is there. */
  readonly path: string;
  /** Who owns the folder, and what was learnt when it was made. */
  readonly record: string;
  /** What it held after `after_create`, before an agent first ran in it. */
  readonly start: string;
  readonly lock: string;
  /** Exists while `after_create` has not succeeded: what is there then is half made. */
  readonly halfMade: string;
  /** Folders on their way out. */
  readonly trash: string;
  /** Private temporary folders, one per run. */
  readonly tmp: string;
}

/** Our own folder inside every workspace root. No workspace key can be spelled like it. */
const OURS = '.symphony';
/** What agents work on is their owner's business alone. */
export const OWNER_ONLY = 0o700;

export async function layOut(workspaceRoot: string, identifier: string): Promise<Layout> {
  return layOutKey(workspaceRoot, workspaceKey(identifier));
}

/** For a workspace on record: its path decides, whatever the settings say by now. */
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

/** A folder of ours: made, or found and closed to others. */
async function ensureOwn(path: string): Promise<void> {
  await refuseLink(path);
  await mkdir(path, {recursive: true, mode: OWNER_ONLY});
  const {mode} = await lstat(path);
  // Made by an older version. Another user's, in a shared root, stays as it is.
  if ((mode & 0o077) !== 0) await chmod(path, OWNER_ONLY).catch(() => {});
}

/** An agent that may write the root could lead us elsewhere: we write, and delete, in these folders. */
export async function refuseLink(path: string): Promise<void> {
  const entry = await orNull(lstat(path));
  if (entry?.isSymbolicLink()) {
    throw new RunFailure('invalid_workspace_cwd', `${path} is a symbolic link; remove it`);
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
