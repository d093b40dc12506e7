import {execFile} from 'node:child_process';
import {createHash, type Hash} from 'node:crypto';
import {lstatSync, utimesSync, writeFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {readRegularFile} from '@symphony-supervisor/protocol/regular-file';
import type {Environment} from '../environment.ts';
import {entriesOf, lstat, mkdir, readlink, readText} from '../files.ts';
import {freshId} from '../fresh-id.ts';
import {Pace} from './pace.ts';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
const GIT_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Of a larger file, size and time of change tell enough. */
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;
/** A million files have an index of about 100 MB. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;

/** What a look at a workspace found; two that are equal mean that nothing changed. */
export type Look = {readonly digest: string} | {readonly problem: string};

/**
 * A digest of what is in a workspace: with git, its HEAD, its index and the content of everything
 * that is not ignored; without, the whole file tree. An agent can have put anything there, so nothing but
 * regular files is opened, and the whole look has one deadline.
 */
export async function fingerprint(
  workspace: string,
  gitDir: string | null,
  scratch: string,
  env: Environment,
  limitMs = LIMIT_MS,
): Promise<Look> {
  using pace = new Pace(limitMs);
  try {
    if (gitDir !== null) {
      const hash = createHash('sha256');
      const ofGit = await hashRepository(hash, workspace, gitDir, scratch, env, pace);
      if (ofGit) return {digest: hash.digest('hex')};
    }
    const hash = createHash('sha256');
    await hashTree(hash, workspace, pace);
    return {digest: hash.digest('hex')};
  } catch (error) {
    return {problem: error instanceof Error ? error.message : String(error)};
  }
}

/**
 * Git is asked through a private folder of ours that borrows the workspace's index and objects: the
 * workspace's own configuration, which an agent can write, may name programs that git would run.
 */
async function hashRepository(
  hash: Hash,
  workspace: string,
  gitDir: string,
  scratch: string,
  env: Environment,
  pace: Pace,
): Promise<boolean> {
  const objects = (await isSound(gitDir)) ? await commonFolder(gitDir, 'objects') : null;
  if (objects === null) return false;
  const ours = join(scratch, `fingerprint-${freshId()}`);
  const git = (args: string[], extra: Environment = {}) =>
    run('git', args, {
      cwd: workspace,
      env: {...bareEnvironment(env), ...extra},
      encoding: 'buffer',
      maxBuffer: GIT_OUTPUT_BYTES,
      // A pipe in the place of a file that git reads blocks git, too.
      signal: pace.signal,
      killSignal: 'SIGKILL',
    });
  try {
    await mkdir(ours, {recursive: true});
    await git(['init', '--quiet', '--bare', ours]);
    borrow(join(gitDir, 'index'), join(ours, 'index'));
    borrow(join(gitDir, 'info', 'exclude'), join(ours, 'info', 'exclude'));
    const borrowed = {
      GIT_DIR: ours,
      GIT_WORK_TREE: workspace,
      GIT_INDEX_FILE: join(ours, 'index'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    };
    // Only names are read from the real one, and nothing that is configured there is run for that.
    const head = await git(['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', 'HEAD']).catch(
      () => null, // no commit yet
    );
    hash.update(head?.stdout ?? 'no commit');
    hash.update((await git(['ls-files', '--stage', '-z'], borrowed)).stdout);
    const diff = [
      'diff',
      '--binary',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=dirty',
    ];
    hash.update((await git(diff, borrowed)).stdout);
    const others = await git(['ls-files', '--others', '--exclude-standard', '-z'], borrowed);
    for (const name of others.stdout.toString('utf8').split('\0').sort()) {
      if (name !== '') await hashFile(hash, join(workspace, name), name, pace);
    }
    return true;
  } catch {
    await pace.next(); // the deadline ends the whole look
    return false; // an index of a kind that cannot be borrowed; the file tree tells as well
  } finally {
    await rm(ours, {recursive: true, force: true});
  }
}

/** What git reads to find out where it is: a pipe among them would block it until the deadline. */
async function isSound(gitDir: string): Promise<boolean> {
  for (const name of ['HEAD', 'commondir', 'config', 'index', 'packed-refs']) {
    const entry = await lstat(join(gitDir, name)).catch(() => null);
    if (entry !== null && !entry.isFile()) return false;
  }
  return true;
}

/**
 * With its time: git compares the times of files by the second, and reads the content of those that are not older than
 * the index. With a younger copy it would miss a change in the second of the last commit. Where there is no such
 * file, or no regular one, git does without it.
 */
function borrow(from: string, to: string): void {
  try {
    const {atime, mtime} = lstatSync(from);
    writeFileSync(to, readRegularFile(from, MAX_INDEX_BYTES));
    utimesSync(to, atime, mtime);
  } catch {}
}

/** Nothing of ours may lead git elsewhere (`GIT_DIR`), and nobody's configuration make it run things. */
function bareEnvironment(env: Environment): Environment {
  const {PATH = '', HOME = ''} = env;
  return {PATH, HOME, LC_ALL: 'C', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};
}

/** A worktree shares the objects of its repository. */
async function commonFolder(gitDir: string, name: string): Promise<string | null> {
  const common = await readText(join(gitDir, 'commondir')).catch(() => null);
  const folder = common === null ? join(gitDir, name) : join(gitDir, common.trim(), name);
  const entry = await lstat(folder).catch(() => null);
  return entry?.isDirectory() ? folder : null;
}

async function hashTree(hash: Hash, folder: string, pace: Pace, below = ''): Promise<void> {
  await pace.next();
  const entries = await entriesOf(folder).catch((error: NodeJS.ErrnoException) => {
    // Closed, or too deep to be named. That it is so is part of the digest; the rest can be looked at.
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
  const entry = await lstat(path).catch(() => null);
  hash.update(`${name}\0${entry?.mode ?? 'gone'}\0`);
  if (entry?.isSymbolicLink()) hash.update(await readlink(path));
  else if (entry?.isFile()) hash.update(contentOf(path) ?? `${entry.size} ${entry.mtimeMs}`);
}

/** null where it is too large, closed to us or gone: then size and time of change stand for it. */
function contentOf(path: string): Buffer | null {
  try {
    return readRegularFile(path, MAX_CONTENT_BYTES);
  } catch {
    return null;
  }
}
