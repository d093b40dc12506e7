import {randomBytes} from 'node:crypto';
import {readFileSync, renameSync, statSync} from 'node:fs';
import {type FileHandle, open, readdir, rm, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {isSystemError, TrackerProblem} from '../answer.ts';
import {contentOf, openRegularFile} from './regular-file.ts';

/** What to do with the content of a file: replace it or leave it. */
export type Decision<T> =
  | {readonly write: Buffer; readonly done: (changedAt: Date) => T}
  | {readonly leave: T};

export type Decide<T> = (content: Buffer, changedAt: Date) => Decision<T>;

/** More conflicting saves than a person makes within the pauses. */
const ATTEMPTS = 6;
const PAUSE_MS = 10;

/**
 * Replaces a file atomically for readers and power cuts, and keeps concurrent edits of other
 * writers: `decide` is called again with each new content.
 */
export async function replaceFile<T>(
  path: string,
  decide: Decide<T>,
  signal: AbortSignal,
): Promise<T> {
  let late: LateEdit | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await pause(attempt * PAUSE_MS);
    // Only this process has the late edit, so it must be restored even if the caller has given up.
    if (late === null) signal.throwIfAborted();
    await using old = await openRegularFile(path);
    const {mtime} = await old.stat({bigint: true});
    const current = await contentOf(old);
    // If the file has changed again since, the two edits cannot be merged.
    const content: Buffer = late?.ours.equals(current) ? late.theirs : current;
    late = null;
    const decision = decide(content, mtime);
    // To leave a late edit as it is means to restore it.
    if ('leave' in decision && content === current) return decision.leave;
    const ours = 'write' in decision ? decision.write : content;
    const changedAt = await swap(path, old, current, ours);
    if (changedAt === null) continue;
    const theirs = await lateEdit(old, current);
    if (theirs === null) return 'write' in decision ? decision.done(changedAt) : decision.leave;
    late = {ours, theirs};
  }
  const message = `${path} kept changing while it was being written`;
  throw new TrackerProblem({code: 'tracker_request', message});
}

/** What another writer wrote into the old file after it was replaced. */
interface LateEdit {
  readonly ours: Buffer;
  readonly theirs: Buffer;
}

/** When the new file was written; null if the old one has changed meanwhile. */
async function swap(
  path: string,
  old: FileHandle,
  expected: Buffer,
  next: Buffer,
): Promise<Date | null> {
  const temporary = join(dirname(path), `.symphony-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const changedAt = await writeLike(old, temporary, next);
    // No await between check and rename, so the race window is a few microseconds. The check finds
    // writers that save by rename; writers that write in place are found afterwards.
    const {ino} = await old.stat();
    if (!readFileSync(path).equals(expected) || statSync(path).ino !== ino) return null;
    renameSync(temporary, path);
    await syncFolder(dirname(path));
    return changedAt;
  } finally {
    // Only still there if it was not renamed.
    await rm(temporary, {force: true});
  }
}

/** With the permissions and, as far as we may, the owner of the file that it replaces. */
async function writeLike(old: FileHandle, path: string, content: Buffer): Promise<Date> {
  const {mode, uid, gid} = await old.stat();
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
  await file.sync();
  // Big integers, as everywhere else: the number form rounds a millisecond up.
  return (await file.stat({bigint: true})).mtime;
}

/** So that the rename itself survives a power cut; some network file systems cannot. */
async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/**
 * A writer that opened the old file before the rename and wrote into it afterwards has written into
 * an unlinked file. Our handle still reaches it.
 */
async function lateEdit(old: FileHandle, expected: Buffer): Promise<Buffer | null> {
  let seen = await contentOf(old);
  if (seen.equals(expected)) return null;
  // The writer may not be finished: editors truncate first.
  for (let look = 0; look < ATTEMPTS; look++) {
    await pause(PAUSE_MS);
    const now = await contentOf(old);
    if (now.equals(seen)) break;
    seen = now;
  }
  return seen;
}

const LEFTOVER = /^\.symphony-[0-9a-f]{12}\.tmp$/;
/** No write takes this long: the process that made such a file is dead. */
const LEFTOVER_AGE_MS = 60_000;

/** Temporary files of a process that was killed between write and rename. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => LEFTOVER.test(name));
  for (const path of names.map((name) => join(folder, name))) {
    const {mtimeMs} = await stat(path);
    if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, {force: true});
  }
}
