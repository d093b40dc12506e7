import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TestContext} from 'node:test';
import type {AttemptJob, RunJob, Usage} from '@symphony-supervisor/protocol';
import {endProcesses} from '@symphony-supervisor/protocol/processes';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {type HostRules, RunnerRig} from '../rig/runner.ts';
import type {CodexSettings} from './binary/codex-config.ts';
import {CodexHome} from './binary/codex-home.ts';
import {record} from './recording/record.ts';
import {ResponsesStub} from './stub/responses-stub.ts';
import {USAGE} from './stub/stub-step.ts';

type Fields = NonNullable<Parameters<typeof anAttempt>[1]>;

interface Options extends Partial<CodexSettings> {
  /** False for runs that print this machine's environment, or that are nothing new to a client. */
  readonly recorded?: boolean;
}

/** For `after_create`: what most workspaces are. */
export const GIT_REPOSITORY = [
  'git init -q -b main .',
  'git config user.name Test',
  'git config user.email test@example.com',
  'git commit -q --allow-empty -m begin',
].join(' && ');

/**
 * The real runner and the real Codex, with a stub in the place of the model and the test in that of
 * the supervisor. Nothing of it is left after the test, not even when the test failed.
 */
export class Scene implements AsyncDisposable {
  readonly stub: ResponsesStub;
  readonly home: CodexHome;
  /** Holds all that runs of this scene make; workspaces are in `ws`. */
  readonly folder: string;
  /**
   * A person's home without a login profile: whatever stands in the developer's would be run by every
   * shell, and what it locks stays locked when a test kills that shell.
   */
  readonly env: {readonly HOME: string};
  /** Of the issue that jobs are about unless they say otherwise. */
  readonly workspace: string;
  readonly #testName: string | null;
  readonly #jobs: RunJob[] = [];
  readonly #folder: AsyncDisposable;

  private constructor(
    testName: string | null,
    stub: ResponsesStub,
    home: CodexHome,
    folder: Awaited<ReturnType<typeof aFolder>>,
  ) {
    this.#testName = testName;
    this.stub = stub;
    this.home = home;
    this.folder = folder.path;
    this.env = {HOME: join(folder.path, 'home')};
    this.workspace = join(folder.path, 'ws', 'ABC-1');
    this.#folder = folder;
  }

  static async open({name}: TestContext, options: Options = {}): Promise<Scene> {
    const {recorded = true, ...settings} = options;
    const stub = await ResponsesStub.listen();
    const home = await CodexHome.create({baseUrl: stub.baseUrl, ...settings});
    const scene = new Scene(recorded ? name : null, stub, home, await aFolder());
    await mkdir(scene.env.HOME);
    return scene;
  }

  attempt(fields: Fields = {}): AttemptJob {
    return anAttempt(this.folder, {
      ...fields,
      agent: {command: this.home.command, ...fields.agent},
    });
  }

  start(job: RunJob, rules: HostRules = {}, env: Record<string, string> = {}): RunnerRig {
    this.expect(job);
    return new RunnerRig(job, rules, {...this.env, ...env});
  }

  /** For a job that somebody else starts. */
  expect(job: RunJob): void {
    this.#jobs.push(job);
  }

  /** What a runner wrote down of its run. */
  transcriptOf(job: RunJob): Promise<string> {
    return readFile(job.transcript_path, 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // In the reverse order; whatever fails, the rest still goes.
    await using _folder = this.#folder;
    await using _home = this.home;
    await using _stub = this.stub;
    const markers = this.#jobs.map(runMarker);
    await endProcesses({roots: [], markers, except: [process.pid]}, 0);
    if (this.#testName !== null) await record(this.#testName, this.#jobs, this);
  }
}

/** In the environment of whatever a run starts. */
export function runMarker(job: RunJob): string {
  return `SYMPHONY_RUN_ID=${job.run_id}`;
}

/** What so many answers cost, of those that do not name their own price. */
export function tokensOf(answers: number): Usage {
  return {
    input_tokens: answers * USAGE.input,
    cached_input_tokens: answers * USAGE.cached,
    output_tokens: answers * USAGE.output,
    reasoning_output_tokens: answers * USAGE.reasoning,
    total_tokens: answers * (USAGE.input + USAGE.output),
  };
}
