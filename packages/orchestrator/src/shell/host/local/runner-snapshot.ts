import {type ChildProcess, execFile, fork} from 'node:child_process';
import {createHash, randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import {mkdir, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {RUNNER_FLAGS} from './fork-runner.ts';
import {leanSnapshot} from './lean-snapshot.ts';

/**
 * To give every process a hash seed of its own takes a tenth of its time; a runner can do without (ADR 9). Only here:
 * where V8 does not know it, runners start as ever.
 */
const KEEP_SEED = '--no-rehash-snapshot';
/** What it costs to make one, ten runs save. */
const WORTH_IT_AFTER = 4;
/** Half a second, and a twentieth. */
const MAKING_LIMIT_MS = 60_000;
const TRYING_LIMIT_MS = 30_000;
/** Of one who was killed while making one. */
const STALE_MS = 3_600_000;

/**
 * The runner as it is once its code is loaded, in a file: Node starts from that in half the time. It is made
 * in the background when runs are many enough and left for the lives to come. Runs start from it only when
 * it was seen to work in this life; where none can be made or used, they start as ever.
 */
export class RunnerSnapshot {
  readonly #runnerPath: string;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #file: string | null = null;
  #isProven = false;
  #preparing: Promise<void> | null = null;
  #starts = 0;
  #isGivenUp = false;

  /**
   * It lies beside the runner if that is ours, like what other languages compile, else in `folder`. Of the
   * environment of runners, what Node itself goes by is what counts here.
   */
  constructor(
    runnerPath: string,
    folder: string,
    {PATH = '', NODE_OPTIONS = ''}: Readonly<Record<string, string | undefined>>,
  ) {
    this.#runnerPath = runnerPath;
    this.#folder = isOurs(dirname(runnerPath)) ? join(dirname(runnerPath), 'snapshot') : folder;
    this.#env = {PATH, NODE_OPTIONS};
  }

  /** Takes what an earlier life has left. */
  find(): void {
    try {
      const name = readdirSync(this.#folder).find((name) => name.startsWith(this.#prefix()));
      if (name === undefined) return;
      const file = join(this.#folder, name);
      // V8 does not notice all damage.
      if (name === this.#prefix() + digestOf(file)) this.#file = file;
      else rmSync(file, {force: true});
    } catch {
      // There is none, or none for us.
    }
  }

  /** What Node is told about the next runner. One that may fail is whose work can simply be done again. */
  nodeOptions(mayFail: boolean): readonly string[] {
    this.#starts++;
    if (this.#file !== null && !existsSync(this.#file)) this.#file = null; // tidied away
    if (this.#file === null) {
      if (!this.#isGivenUp && this.#starts > WORTH_IT_AFTER) this.#prepare();
      return [];
    }
    return this.#isProven || mayFail ? ['--snapshot-blob', this.#file, KEEP_SEED] : [];
  }

  /** A runner has begun from it. */
  prove(): void {
    this.#isProven = true;
  }

  /** A runner ended before it began: perhaps Node was replaced. The next ones do without. */
  giveUp(): void {
    this.#file = null;
    this.#isGivenUp = true;
  }

  /** Settles when nothing is being made. */
  async settled(): Promise<void> {
    await this.#preparing;
  }

  #prepare(): void {
    this.#preparing ??= this.#made()
      .then(
        (file) => {
          this.#file = file;
          this.#isProven = true;
        },
        () => this.giveUp(),
      )
      .finally(() => {
        this.#preparing = null;
      });
  }

  async #made(): Promise<string> {
    await this.#removeStale();
    const stage = join(this.#folder, `stage-${randomUUID()}`);
    await mkdir(stage, {recursive: true, mode: 0o700});
    try {
      const draft = join(stage, 'snapshot');
      await this.#make(draft, stage);
      await writeFile(draft, leanSnapshot(await readFile(draft)));
      if (!(await this.#works(draft))) throw new Error('no runner starts from it');
      const file = join(this.#folder, this.#prefix() + digestOf(draft));
      await rename(draft, file);
      return file;
    } finally {
      await rm(stage, {recursive: true, force: true});
    }
  }

  async #make(file: string, stage: string): Promise<void> {
    const what = [KEEP_SEED, '--snapshot-blob', file, '--build-snapshot', this.#runnerPath, stage];
    const limits = {timeout: MAKING_LIMIT_MS, killSignal: 'SIGKILL'} as const;
    const options = {env: this.#env, ...limits};
    const making = promisify(execFile)(process.execPath, [...RUNNER_FLAGS, ...what], options);
    using _ = endWithUs(making.child);
    await making;
  }

  /** Whether a runner that starts from it says hello. */
  async #works(file: string): Promise<boolean> {
    const child = fork(this.#runnerPath, {
      env: this.#env,
      execArgv: [...RUNNER_FLAGS, KEEP_SEED, '--snapshot-blob', file],
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

  /** Good for one Node, its flags, and one build of the runner; what follows is the digest of the file itself. */
  #prefix(): string {
    const {size, mtimeMs} = statSync(this.#runnerPath);
    const flags = [...RUNNER_FLAGS, KEEP_SEED, this.#env.NODE_OPTIONS].join(' ');
    const about = [process.version, process.arch, flags, size, mtimeMs].join('\n');
    return `runner-${sha256(about).slice(0, 16)}-`;
  }

  async #removeStale(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const isStale =
        name.startsWith('stage-') && Date.now() - (await stat(path)).mtimeMs > STALE_MS;
      if (isStale) await rm(path, {recursive: true, force: true});
    }
  }
}

/** Root may write anywhere, but its files would be in the way of whoever owns the rest. */
function isOurs(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).uid === process.getuid?.();
  } catch {
    return false;
  }
}

function digestOf(file: string): string {
  return sha256(readFileSync(file));
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function endWithUs(child: ChildProcess): Disposable {
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  return {[Symbol.dispose]: () => void process.off('exit', end)};
}
