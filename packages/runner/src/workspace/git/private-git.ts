import {execFile} from 'node:child_process';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {Environment} from '../../job/environment.ts';
import {lstat, mkdir, orNull, readRegular, utimes, writeFile} from '../../processes/files.ts';
import {freshId} from '../../processes/fresh-id.ts';
import type {Pace} from '../pace.ts';
import type {GitPlaces} from './git-places.ts';
import {type Refs, readRefs} from './git-refs.ts';

const run = promisify(execFile);
const GIT_OUTPUT_BYTES = 256 * 1024 * 1024;
/** A million files have an index of about 100 MB. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;

/**
 * Git for a workspace, through a private folder that shares the workspace's index and objects. The
 * workspace's own configuration, which an agent can write, may name programs that git would run; so git
 * never sees it, and refs are read without git.
 */
export class PrivateGit implements AsyncDisposable {
  /** The private folder: git runs there with no configuration but the caller's. */
  readonly dir: string;
  readonly refs: Refs;
  readonly #workspace: string;
  readonly #environment: Environment;
  readonly #pace: Pace;

  private constructor(
    dir: string,
    refs: Refs,
    workspace: string,
    environment: Environment,
    pace: Pace,
  ) {
    this.dir = dir;
    this.refs = refs;
    this.#workspace = workspace;
    this.#environment = environment;
    this.#pace = pace;
  }

  /** null: there is no repository. Throws if it is of a kind that cannot be shared. */
  static async open(
    workspace: string,
    {gitDir, commonDir}: GitPlaces,
    scratch: string,
    env: Environment,
    pace: Pace,
  ): Promise<PrivateGit | null> {
    if (gitDir === null || commonDir === null) return null;
    const objects = join(commonDir, 'objects');
    if (!(await orNull(lstat(objects)))?.isDirectory()) return null;
    const refs = await readRefs(gitDir, commonDir);
    const dir = join(scratch, `git-${freshId()}`);
    for (const folder of ['objects', 'refs', 'info']) {
      await mkdir(join(dir, folder), {recursive: true});
    }
    // A commit of the shared objects, or a branch that does not exist.
    await writeFile(join(dir, 'HEAD'), `${refs.head ?? 'ref: refs/heads/unborn'}\n`);
    await borrow(join(commonDir, 'info/exclude'), join(dir, 'info/exclude'));
    await borrow(join(gitDir, 'index'), join(dir, 'index'));
    const environment = {
      ...bareEnvironment(env),
      GIT_DIR: dir,
      GIT_WORK_TREE: workspace,
      GIT_INDEX_FILE: join(dir, 'index'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    };
    return new PrivateGit(dir, refs, workspace, environment, pace);
  }

  async ask(args: readonly string[], input: string | null = null): Promise<Buffer> {
    const asked = run('git', [...OPTIONS, ...args], {
      cwd: this.#workspace,
      env: this.#environment,
      encoding: 'buffer',
      maxBuffer: GIT_OUTPUT_BYTES,
      // A pipe in the place of a file that git reads blocks git, too.
      signal: this.#pace.signal,
      killSignal: 'SIGKILL',
    });
    const {stdin} = asked.child;
    // A git that has exited early gives the reason by its exit code.
    stdin?.on('error', () => {});
    stdin?.end(input ?? '');
    try {
      return (await asked).stdout;
    } catch (error) {
      throw new Error(`git ${args[0]} failed: ${lastWords(error)}`, {cause: error});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, {recursive: true, force: true});
  }
}

/**
 * With its time: git compares the times of files by the second, and reads the content of those that are not older than
 * the index. With a newer copy it would miss a change in the second of the last commit. If there is no such file, or
 * not a regular one, git works without it.
 */
async function borrow(from: string, to: string): Promise<void> {
  const entry = await orNull(lstat(from));
  const content = entry === null ? null : await orNull(readRegular(from, MAX_INDEX_BYTES));
  if (entry === null || content === null) return;
  await writeFile(to, content);
  await utimes(to, entry.atime, entry.mtime);
}

/** The last output of git, else how it ended. */
function lastWords(error: unknown): string {
  const {stderr, message} = error as Error & {stderr?: Buffer};
  return stderr?.toString().trim().split('\n').at(-1) || message;
}

/** An agent can write the caches beside the objects and in the index. */
const OPTIONS = ['-c', 'core.commitGraph=false', '-c', 'core.untrackedCache=false'];

/** No variable may lead git elsewhere (`GIT_DIR`), and no configuration may make it run programs. */
export function bareEnvironment(env: Environment): Environment {
  const {PATH = '', HOME = ''} = env;
  return {
    ...{PATH, HOME, LC_ALL: 'C', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'},
    GIT_NO_LAZY_FETCH: '1',
  };
}
