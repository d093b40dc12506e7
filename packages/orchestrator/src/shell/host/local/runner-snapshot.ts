import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readdirSync, rmSync, statSync} from 'node:fs';
import {mkdir, rename, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {Log} from '../../log.ts';
import {type Environment, RUNNER_FLAGS} from './fork-runner.ts';

export interface RunnerSnapshotOptions {
  /** The runner's bundle. */
  readonly runnerPath: string;
  /** In the state dir, for snapshots only. */
  readonly folder: string;
  readonly environment: Environment;
  readonly log: Log;
}

/** Creating one costs a third of a second of CPU, and each run from it saves a twentieth. */
const WORTH_IT_AFTER = 4;
const MAKING_LIMIT_MS = 60_000;

/**
 * The runner with its code loaded, as a file that Node can start from (`--build-snapshot`, `--snapshot-blob`), in half
 * the time. It is created in the background after a few runs, and kept for later starts of the supervisor. Without one,
 * and until the next restart after a runner could not start from it, runners start from the bundle.
 */
export class RunnerSnapshot {
  readonly #options: RunnerSnapshotOptions;
  #starts = 0;
  #isGivenUp = false;
  #isMaking = false;

  constructor(options: RunnerSnapshotOptions) {
    this.#options = options;
  }

  /** What the next runner starts from; null: from its bundle. */
  forNextRunner(): string | null {
    if (this.#isGivenUp || this.#isMaking) return null;
    this.#starts++;
    const file = this.#find();
    if (file === null && this.#starts > WORTH_IT_AFTER) void this.#tryToMake();
    return file;
  }

  /** A runner could not start from it: the file is damaged, or Node was replaced. The next supervisor creates another. */
  giveUp(reason: string): void {
    this.#isGivenUp = true;
    rmSync(this.#options.folder, {recursive: true, force: true});
    this.#warn(reason);
  }

  /** Checked before every start, because it may be deleted at any time. */
  #find(): string | null {
    try {
      const prefix = this.#prefix();
      const name = readdirSync(this.#options.folder).find((name) => name.startsWith(prefix));
      if (name === undefined) return null;
      const file = join(this.#options.folder, name);
      // Node detects a damaged heap, but reads beyond the end of a truncated file.
      if (statSync(file).size === Number(name.slice(prefix.length))) return file;
      rmSync(file);
      this.#warn(`${file} is truncated`);
    } catch {
      // There is none.
    }
    return null;
  }

  async #tryToMake(): Promise<void> {
    this.#isMaking = true;
    try {
      await this.#make();
    } catch (error) {
      this.#isGivenUp = true;
      this.#warn(`it cannot be created: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#isMaking = false;
    }
  }

  async #make(): Promise<void> {
    const {folder, runnerPath, environment} = this.#options;
    const {PATH = '', NODE_OPTIONS = ''} = environment;
    const prefix = this.#prefix();
    await rm(folder, {recursive: true, force: true}); // those of other versions, and drafts of other processes
    const rehearsal = join(folder, 'rehearsal');
    await mkdir(rehearsal, {recursive: true, mode: 0o700});
    const draft = join(folder, 'draft');
    const what = ['--snapshot-blob', draft, '--build-snapshot', runnerPath, rehearsal];
    // Only the variables that Node and the shell need: everything else would stay in the file.
    const limit = {timeout: MAKING_LIMIT_MS, killSignal: 'SIGKILL'} as const;
    const making = promisify(execFile)(process.execPath, [...RUNNER_FLAGS, ...what], {
      ...{env: {PATH, NODE_OPTIONS}, ...limit},
    });
    const end = () => making.child.kill('SIGKILL');
    process.once('exit', end);
    await making.finally(() => process.off('exit', end));
    await rename(draft, join(folder, `${prefix}${(await stat(draft)).size}`));
    await rm(rehearsal, {recursive: true, force: true});
  }

  /** A file is valid for one version of Node, its options and one build of the runner. Its size follows. */
  #prefix(): string {
    const {runnerPath, environment} = this.#options;
    const {size, mtimeMs} = statSync(runnerPath);
    const about = [process.version, process.arch, environment.NODE_OPTIONS, size, mtimeMs];
    const digest = createHash('sha256').update(about.join('\n')).digest('hex');
    return `runner-${digest.slice(0, 16)}-`;
  }

  #warn(reason: string): void {
    const about = {event: 'runner_snapshot.failed', reason};
    this.#options.log('warn', about, 'runners start without a snapshot');
  }
}
