import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {createMask, type Mask} from '@symphony-supervisor/protocol';
import type {Environment} from '../../job/environment.ts';
import {mkdir, writeFile} from '../../processes/files.ts';
import {freshId} from '../../processes/fresh-id.ts';
import {describeExit, type RunProcesses} from '../../processes/run-processes.ts';
import {type GitAnswer, isSuccess, readAnswer, withoutPassword} from '../git/git-answer.ts';
import {OWNER_ONLY} from '../layout.ts';
import {
  assertAddress,
  localEnvironment,
  operatorEnvironment,
  type Remote,
  tokenEnvironment,
} from './access.ts';
import {answerQuestions, type Credential, isOneLine, writeAskpass} from './askpass.ts';
import {folderConfig, type ObjectFormat} from './folder-config.ts';
import {BY_HOOK, kindOf, Refusal} from './refusal.ts';

/** What a push works with; `JobResources` has most of it. */
export interface Tools {
  readonly processes: RunProcesses;
  /** The operator's; in it `push_with: git` finds ssh and credential helpers. */
  readonly environment: Environment;
  readonly secretNames: readonly string[];
  readonly mask: Mask;
  /** Out of the agent's reach. */
  readonly scratch: string;
  readonly cutOff?: AbortSignal;
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  /** For questions to the remote and about objects. */
  readonly askMs: number;
  /** For the transfer of objects. */
  readonly transferMs: number;
}

/** A repository of some GB takes minutes. */
const LIMITS: Limits = {askMs: 60_000, transferMs: 15 * 60_000};
const KILL_GRACE_MS = 2000;
/** Some million objects, or some hundred thousand refs. */
const MOST_BYTES = 256 * 1024 * 1024;
const SAID_BYTES = 8192;
const MESSAGE_LENGTH = 1000;

/** A bare folder of ours, and git in it: with our configuration, every call with a deadline, none with a shell. */
export class PrivateFolder implements AsyncDisposable {
  readonly dir: string;
  readonly #remote: Remote;
  readonly #tools: Tools;
  readonly #limits: Limits;
  #credential: Credential | null = null;
  #network: Environment | null = null;

  private constructor(dir: string, remote: Remote, tools: Tools) {
    this.dir = dir;
    this.#remote = remote;
    this.#tools = tools;
    this.#limits = {...LIMITS, ...tools.limits};
  }

  static async create(format: ObjectFormat, remote: Remote, tools: Tools): Promise<PrivateFolder> {
    assertAddress(remote);
    const dir = join(tools.scratch, `push-${freshId()}`);
    await mkdir(join(dir, 'objects/info'), {recursive: true, mode: OWNER_ONLY});
    await mkdir(join(dir, 'refs'));
    await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/unborn\n');
    await writeFile(join(dir, 'config'), folderConfig(format, remote.push_with));
    return new PrivateFolder(dir, remote, tools);
  }

  /** Asks about objects; throws a `Refusal` if git fails. */
  async ask(args: readonly string[], input = ''): Promise<Buffer> {
    const env = localEnvironment(this.#tools.environment, this.dir);
    const answer = await this.#run(args, {env, input, limitMs: this.#limits.askMs, asks: null});
    if (!isSuccess(answer)) throw this.refusalOf(answer);
    return answer.stdout;
  }

  /** Talks to the remote. A failure is an answer; only a limit or a missing credential throws. */
  async talk(args: readonly string[], limit: keyof Limits): Promise<GitAnswer> {
    this.#network ??= await this.#connect();
    const call = {env: this.#network, input: '', limitMs: this.#limits[limit]};
    return this.#run(args, {...call, asks: this.#credential});
  }

  /** What an answer that is no success means. */
  refusalOf(answer: GitAnswer): Refusal {
    const {end, said} = answer;
    if (end === 'late') return new Refusal('timed_out', 'git did not end within its time limit');
    if (end === 'too-long') return new Refusal('git_failed', 'git wrote more than is read');
    const words = `${answer.stdout.subarray(0, SAID_BYTES).toString('utf8')}\n${said}`;
    const kind = end.is === 'exit' ? kindOf(words) : 'git_failed';
    const told = this.readable(said);
    const message = told === '' ? `git ended with ${describeExit(end)}` : told;
    return new Refusal(kind, kind === 'missing_objects' ? `${message}. ${BY_HOOK}` : message);
  }

  /** One line for people, without secrets and without what a terminal would obey. */
  readable(words: string): string {
    const {username, password} = this.#credential ?? {username: '', password: ''};
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const mask = createMask({values: [password, basic, encodeURIComponent(password)]});
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
    const line = words.trim().replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
    return withoutPassword(this.#tools.mask(mask(line))).slice(-MESSAGE_LENGTH);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, {recursive: true, force: true});
  }

  async #run(
    args: readonly string[],
    call: {env: Environment; input: string; limitMs: number; asks: Credential | null},
  ): Promise<GitAnswer> {
    const {processes, cutOff} = this.#tools;
    if (cutOff?.aborted) throw new Refusal('cut_off', 'the push was cut off');
    const step = processes.startProgram({
      ...{file: 'git', args, cwd: this.dir, env: call.env},
      hasSocket: call.asks !== null,
    });
    if (call.asks !== null) answerQuestions(step, this.#remote.url, call.asks);
    const limits = {answerMs: call.limitMs, mostBytes: MOST_BYTES, saidBytes: SAID_BYTES};
    const end = (): Promise<void> => processes.endStep(step, KILL_GRACE_MS);
    const onCutOff = (): void => void end();
    cutOff?.addEventListener('abort', onCutOff);
    try {
      const answer = await readAnswer(step, call.input, limits);
      if (cutOff?.aborted) throw new Refusal('cut_off', 'the push was cut off');
      return answer;
    } finally {
      cutOff?.removeEventListener('abort', onCutOff);
      await end();
      const socket = step.child.stdio[3];
      if (socket !== null && socket !== undefined) socket.destroy();
    }
  }

  async #connect(): Promise<Environment> {
    const {environment, secretNames} = this.#tools;
    if (this.#remote.push_with === 'token') {
      this.#credential = await this.#askForCredential(this.#remote.credential);
      return tokenEnvironment(environment, this.dir, await writeAskpass(this.dir));
    }
    const env = operatorEnvironment(environment, secretNames, this.dir);
    if (env.GIT_SSH_COMMAND !== undefined || env.GIT_SSH !== undefined) return env;
    const call = {env, input: '', limitMs: this.#limits.askMs, asks: null};
    const configured = await this.#run(['config', '--get', 'core.sshCommand'], call);
    // Without it ssh could wait for an answer at a terminal.
    return isSuccess(configured) ? env : {...env, GIT_SSH_COMMAND: 'ssh -o BatchMode=yes'};
  }

  async #askForCredential(ask: () => Promise<Credential>): Promise<Credential> {
    const credential = await ask().catch((error: unknown) => {
      const why = this.readable(error instanceof Error ? error.message : String(error));
      throw new Refusal('credential_refused', `there is no credential for the remote: ${why}`);
    });
    if (isOneLine(credential)) return credential;
    throw new Refusal('credential_refused', 'the credential is empty or has several lines');
  }
}
