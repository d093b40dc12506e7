import {type ChildProcess, execFile, fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {RUNNER_FLAGS} from './fork-runner.ts';

/** What it costs to make one, ten runs save. */
const WORTH_IT_AFTER = 4;
/** Half a second each. */
const MAKING_LIMIT_MS = 60_000;
const TRYING_LIMIT_MS = 30_000;

/**
 * The runner as it is once its code is loaded, in a file: Node starts from that in half the time. It is made
 * in the background when runs are many enough, and used only after it was seen to work; where none can be
 * made or used, runners start as ever. Every life makes its own: V8 does not notice all damage, and what
 * is damaged must not outlive a restart.
 */
export class RunnerSnapshot {
  readonly #runnerPath: string;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #file: string | null = null;
  #preparing: Promise<void> | null = null;
  #starts = 0;
  #isGivenUp = false;

  /** `environment`: what runners get. Of that, what Node itself goes by is what counts here. */
  constructor(
    runnerPath: string,
    folder: string,
    {PATH = '', NODE_OPTIONS = ''}: Readonly<Record<string, string | undefined>>,
  ) {
    this.#runnerPath = runnerPath;
    this.#folder = folder;
    this.#env = {PATH, NODE_OPTIONS};
  }

  /** What Node is told about the next runner. */
  nodeOptions(): readonly string[] {
    this.#starts++;
    if (this.#file !== null) return ['--snapshot-blob', this.#file];
    if (!this.#isGivenUp && this.#starts > WORTH_IT_AFTER) {
      this.#preparing ??= this.#prepare().finally(() => {
        this.#preparing = null;
      });
    }
    return [];
  }

  /** A runner ended before it began: perhaps Node was replaced. The next ones do without. */
  giveUp(): void {
    if (this.#file !== null) void rm(this.#file, {force: true});
    this.#file = null;
    this.#isGivenUp = true;
  }

  /** Settles when nothing is being made or tried. */
  async settled(): Promise<void> {
    await this.#preparing;
  }

  async #prepare(): Promise<void> {
    try {
      const file = await this.#make();
      if (await this.#works(file)) this.#file = file;
      else this.giveUp();
    } catch {
      this.giveUp();
    }
  }

  async #make(): Promise<string> {
    // What a life that was killed still writes has another name.
    const file = join(this.#folder, `runner-${process.pid}`);
    const stage = join(this.#folder, `stage-${process.pid}`);
    await rm(this.#folder, {recursive: true, force: true});
    await mkdir(stage, {recursive: true, mode: 0o700});
    const what = ['--snapshot-blob', file, '--build-snapshot', this.#runnerPath, stage];
    const limits = {timeout: MAKING_LIMIT_MS, killSignal: 'SIGKILL'} as const;
    const making = promisify(execFile)(process.execPath, [...RUNNER_FLAGS, ...what], {
      env: this.#env,
      ...limits,
    });
    using _ = endWithUs(making.child);
    await making;
    await rm(stage, {recursive: true, force: true});
    return file;
  }

  /** Whether a runner that starts from it says hello. */
  async #works(file: string): Promise<boolean> {
    const child = fork(this.#runnerPath, {
      env: this.#env,
      execArgv: [...RUNNER_FLAGS, '--snapshot-blob', file],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: TRYING_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    using _ = endWithUs(child);
    const exited = once(child, 'exit');
    const hello = await Promise.race([once(child, 'message'), exited.then(() => null)]);
    if (child.connected) child.disconnect(); // without a supervisor it ends by itself
    await exited;
    return hello !== null;
  }
}

function endWithUs(child: ChildProcess): Disposable {
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  return {[Symbol.dispose]: () => void process.off('exit', end)};
}
