import {execFile} from 'node:child_process';
import {createHash, type Hash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {copyFile, rm, utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {promisify} from 'node:util';
import type {Environment} from '../environment.ts';
import {entriesOf, lstat, mkdir, readlink, readText} from '../files.ts';
import {freshId} from '../fresh-id.ts';

const run = promisify(execFile);
const GIT_LIMIT_MS = 60_000;
const GIT_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Of a larger file, size and time of change tell enough. */
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;

/**
 * A digest of what is in a workspace: with git, its HEAD, its index and the content of everything
 * that is not ignored; without, the whole file tree. Two that are equal mean that nothing changed.
 * null when it cannot be told.
 */
export async function fingerprint(
  workspace: string,
  gitDir: string | null,
  scratch: string,
  env: Environment,
): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    if (gitDir === null || !(await hashRepository(hash, workspace, gitDir, scratch, env))) {
      await hashTree(hash, workspace);
    }
    return hash.digest('hex');
  } catch {
    return null;
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
): Promise<boolean> {
  const objects = await commonFolder(gitDir, 'objects');
  if (objects === null) return false;
  const ours = join(scratch, `fingerprint-${freshId()}`);
  const git = (args: string[], extra: Environment = {}) =>
    run('git', args, {
      cwd: workspace,
      env: {...bareEnvironment(env), ...extra},
      encoding: 'buffer',
      maxBuffer: GIT_OUTPUT_BYTES,
      timeout: GIT_LIMIT_MS,
    });
  try {
    await mkdir(ours, {recursive: true});
    await git(['init', '--quiet', '--bare', ours]);
    await copyIndex(join(gitDir, 'index'), join(ours, 'index')).catch(() => {});
    await copyFile(join(gitDir, 'info', 'exclude'), join(ours, 'info', 'exclude')).catch(() => {});
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
      if (name !== '') await hashFile(hash, join(workspace, name), name);
    }
    return true;
  } catch {
    return false; // an index of a kind that cannot be borrowed; the file tree tells as well
  } finally {
    await rm(ours, {recursive: true, force: true});
  }
}

/**
 * With its time: git compares the times of files by the second, and reads the content of those that are not older than
 * the index. With a younger copy it would miss a change in the second of the last commit.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const entry = await lstat(from);
  await copyFile(from, to);
  await utimes(to, entry.atime, entry.mtime);
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

async function hashTree(hash: Hash, folder: string, below = ''): Promise<void> {
  const entries = await entriesOf(folder);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      hash.update(`${name}/\0`);
      await hashTree(hash, join(folder, entry.name), name);
    } else await hashFile(hash, join(folder, entry.name), name);
  }
}

async function hashFile(hash: Hash, path: string, name: string): Promise<void> {
  const entry = await lstat(path).catch(() => null);
  hash.update(`${name}\0${entry?.mode ?? 'gone'}\0`);
  if (entry?.isSymbolicLink()) hash.update(await readlink(path));
  else if (entry?.isFile() && entry.size > MAX_CONTENT_BYTES) {
    hash.update(`${entry.size} ${entry.mtimeMs}`);
  } else if (entry?.isFile()) await pipeline(createReadStream(path), hash, {end: false});
}
