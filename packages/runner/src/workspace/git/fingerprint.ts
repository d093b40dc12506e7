import {createHash, type Hash} from 'node:crypto';
import {join} from 'node:path';
import type {Environment} from '../../job/environment.ts';
import {
  DiskSilent,
  entriesOf,
  lstat,
  orNull,
  readlink,
  readRegular,
} from '../../processes/files.ts';
import {Pace} from '../pace.ts';
import type {GitPlaces} from './git-places.ts';
import {PrivateGit} from './private-git.ts';

const LIMIT_MS = 60_000;
/** For a larger file, size and time of change are enough. */
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;

/** The result of an inspection of a workspace; equal results mean that nothing changed. */
export type Look = {readonly digest: string} | {readonly problem: string};

/**
 * A digest of a workspace: with git, its HEAD, its index and the content of all files that are not ignored;
 * without git, the whole file tree. An agent may have put anything there, so only regular files are opened,
 * and the whole inspection has one deadline.
 */
export async function fingerprint(
  workspace: string,
  places: GitPlaces | null,
  scratch: string,
  env: Environment,
  limitMs = LIMIT_MS,
): Promise<Look> {
  using pace = new Pace(limitMs);
  try {
    if (places !== null) {
      const hash = createHash('sha256');
      const ofGit = await hashRepository(hash, workspace, places, scratch, env, pace);
      if (ofGit) return {digest: hash.digest('hex')};
    }
    const hash = createHash('sha256');
    await hashTree(hash, workspace, pace);
    return {digest: hash.digest('hex')};
  } catch (error) {
    return {problem: error instanceof Error ? error.message : String(error)};
  }
}

async function hashRepository(
  hash: Hash,
  workspace: string,
  places: GitPlaces,
  scratch: string,
  env: Environment,
  pace: Pace,
): Promise<boolean> {
  try {
    await using git = await PrivateGit.open(workspace, places, scratch, env, pace);
    if (git === null) return false;
    hash.update(git.refs.head ?? 'no commit');
    hash.update(await git.ask(['ls-files', '--stage', '-z']));
    const diff = [
      'diff',
      '--binary',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=dirty',
    ];
    hash.update(await git.ask(diff));
    const others = await git.ask(['ls-files', '--others', '--exclude-standard', '-z']);
    for (const name of others.toString('utf8').split('\0').sort()) {
      if (name !== '') await hashFile(hash, join(workspace, name), name, pace);
    }
    return true;
  } catch {
    await pace.next(); // the deadline ends the whole inspection
    return false; // an index of a kind that cannot be shared; the file tree is used instead
  }
}

/** A digest of one file, or of a folder with all that is in it; short, because thousands may be kept. */
export async function digestOf(path: string, pace: Pace): Promise<string> {
  const hash = createHash('sha256');
  if ((await orNull(lstat(path)))?.isDirectory()) await hashTree(hash, path, pace);
  else await hashFile(hash, path, '', pace);
  return hash.digest('hex').slice(0, 16);
}

async function hashTree(hash: Hash, folder: string, pace: Pace, below = ''): Promise<void> {
  await pace.next();
  const entries = await entriesOf(folder).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof DiskSilent) throw error;
    // Not readable, or too deep. That fact is part of the digest; the rest can be inspected.
    hash.update(`${error.code}\0`);
    return [];
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      hash.update(`${name}/\0`);
      await hashTree(hash, join(folder, entry.name), pace, name);
    } else await hashFile(hash, join(folder, entry.name), name, pace);
  }
}

async function hashFile(hash: Hash, path: string, name: string, pace: Pace): Promise<void> {
  await pace.next();
  const entry = await orNull(lstat(path));
  hash.update(`${name}\0${entry?.mode ?? 'gone'}\0`);
  if (entry?.isSymbolicLink()) hash.update(await readlink(path));
  else if (entry?.isFile()) {
    hash.update((await contentOf(path)) ?? `${entry.size} ${entry.mtimeMs}`);
  }
}

/** null if it is too large, unreadable or missing: then size and time of change are used. */
function contentOf(path: string): Promise<Buffer | null> {
  return orNull(readRegular(path, MAX_CONTENT_BYTES));
}
