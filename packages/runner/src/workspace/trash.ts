import {execFile} from 'node:child_process';
import {lstat, readdir, rename, rm, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {removeFile} from '../processes/files.ts';
import {freshId} from '../processes/fresh-id.ts';
import {type Layout, reasonOf, refuseLink} from './layout.ts';

/** A folder in the trash that cannot be deleted. */
export interface StuckTrash {
  readonly path: string;
  /** Size of its readable part; null if it could not be determined. */
  readonly sizeKb: number | null;
  readonly reason: string;
}

export type OnStuck = (stuck: StuckTrash) => void;

const run = promisify(execFile);
/** Suffix of an empty file beside a folder that was reported. No folder in the trash has it. */
const STUCK = '.stuck';
/** The cause may have been a temporarily unavailable disk. */
const TRY_AGAIN_MS = 24 * 60 * 60 * 1000;
const SIZE_LIMIT_MS = 10_000;
const REASON_LENGTH = 300;

/**
 * Moves the folder away atomically and only then deletes it: an interrupted deletion must not leave
 * half a workspace under its name.
 */
export async function discard(layout: Layout, onStuck: OnStuck, path = layout.path): Promise<void> {
  await refuseLink(layout.trash);
  const grave = join(layout.trash, `${layout.key}-${freshId()}`);
  await rename(path, grave);
  await bury(grave, onStuck);
}

/** Leftovers of an interrupted deletion, perhaps of an earlier process. */
export async function emptyTrash(layout: Layout, onStuck: OnStuck): Promise<void> {
  // Once more, because a hook may have run since the layout was verified.
  await refuseLink(layout.trash);
  const names = await readdir(layout.trash);
  for (const name of names) {
    const path = join(layout.trash, name);
    if (!name.endsWith(STUCK)) await bury(path, onStuck);
    else if (!names.includes(name.slice(0, -STUCK.length))) await removeFile(path); // removed by hand
  }
}

/** Deletes a folder in the trash. An undeletable one is reported once, and retried after a day. */
async function bury(grave: string, onStuck: OnStuck): Promise<void> {
  const mark = `${grave}${STUCK}`;
  const markedAt = await lstat(mark).then(
    ({mtimeMs}) => mtimeMs,
    () => null,
  );
  if (markedAt !== null && Date.now() - markedAt < TRY_AGAIN_MS) return;
  const reason = await deleteTree(grave);
  if (reason === null) return removeFile(mark);
  if (markedAt !== null) return utimes(mark, new Date(), new Date());
  try {
    // Of two processes that clean at the same time, only one reports.
    await writeFile(mark, '', {flag: 'wx', mode: 0o600});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
  }
  onStuck({path: grave, sizeKb: await sizeOf(grave), reason: reason.slice(0, REASON_LENGTH)});
}

/** null, or why it still exists. */
async function deleteTree(path: string): Promise<string | null> {
  try {
    await rm(path, {recursive: true, force: true});
    return null;
  } catch {
    // Tools leave read-only folders behind, which cannot be emptied as they are, and agents can nest folders deeper
    // than a path may be long. The system's own tools go into folders step by step; they follow no links either.
    await run('chmod', ['-R', 'u+rwx', '--', path]).catch(() => {});
    try {
      await run('rm', ['-rf', '--', path]);
    } catch (error) {
      if ((await lstat(path).catch(() => null)) !== null) return reasonOf(error);
    }
    return null;
  }
}

async function sizeOf(path: string): Promise<number | null> {
  // It also reports unreadable folders; the sum is still valid.
  const du = run('du', ['-sk', '--', path], {timeout: SIZE_LIMIT_MS}).catch(
    (error: {stdout?: string}) => error,
  );
  const kb = Number.parseInt((await du).stdout ?? '', 10);
  return Number.isNaN(kb) ? null : kb;
}
