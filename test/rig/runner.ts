import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {
  FromRunner,
  type HostAnswer,
  type HostCall,
  type Issue,
  type RunJob,
  type RunnerReport,
  type RunResult,
  type StopReason,
  type ToolResult,
  type ToRunner,
} from '@symphony-supervisor/protocol';
import {endProcesses} from '@symphony-supervisor/protocol/processes';

const RUNNER = fileURLToPath(
  new URL('../../packages/orchestrator/dist/runner.cjs', import.meta.url),
);

const EMPTY_HOME = fileURLToPath(new URL('./empty-home', import.meta.url));

type Of<Type extends RunnerReport['type']> = Extract<RunnerReport, {type: Type}>;

export interface HostRules {
  /** What a re-read of the issue says; default: the issue of the job, and do not go on. */
  readonly readIssue?: (times: number) => {issue: Issue | null; go_on: boolean} | 'refused';
  readonly callTool?: (tool: string, args: unknown) => ToolResult | 'refused' | 'silence';
}

/** A real runner process, with the test in the place of the supervisor. */
export class RunnerRig implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly reports: RunnerReport[] = [];
  readonly calls: HostCall[] = [];
  readonly exited: Promise<{code: number | null; signal: NodeJS.Signals | null}>;
  readonly job: RunJob;
  readonly #rules: HostRules;
  #listeners: (() => void)[] = [];
  #isGone = false;
  #stderr = '';

  constructor(job: RunJob, rules: HostRules = {}, env: Record<string, string> = {}) {
    this.job = job;
    this.#rules = rules;
    this.process = fork(RUNNER, {
      // Not the profile of whoever runs the tests: it may be slow, or do things when it is cut off.
      env: {...process.env, HOME: EMPTY_HOME, SYMPHONY_RUN_ID: job.run_id, ...env},
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      execArgv: [], // the bundle needs no loader
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.process.stdout?.resume();
    this.process.on('message', (message) => this.#hear(FromRunner.parse(message)));
    // What it said last may arrive after its exit, but not after the end of the line.
    const lineEnded = once(this.process, 'disconnect');
    this.exited = once(this.process, 'exit').then(async ([code, signal]) => {
      await lineEnded;
      this.#isGone = true;
      this.#wake();
      return {code, signal};
    });
    this.tell({order: 'start', job});
  }

  get pid(): number {
    return this.process.pid ?? -1;
  }

  tell(message: ToRunner): void {
    this.process.send(message, () => {});
  }

  stop(reason: StopReason, withinMs?: number): void {
    this.tell({
      order: 'stop',
      reason,
      ...(withinMs === undefined ? {} : {within_ms: withinMs}),
    });
  }

  /** The first report that fits, said or still to be said. */
  async heard<Type extends RunnerReport['type']>(
    type: Type,
    fits: (report: Of<Type>) => boolean = () => true,
  ): Promise<Of<Type>> {
    for (;;) {
      const found = this.reports.find(
        (report): report is Of<Type> => report.type === type && fits(report as Of<Type>),
      );
      if (found !== undefined) return found;
      if (this.#isGone) {
        const said = this.reports.map((report) => report.type).join(', ');
        throw new Error(
          `the runner is gone and never said "${type}", only ${said}\n${this.#stderr}`,
        );
      }
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  all<Type extends RunnerReport['type']>(type: Type): Of<Type>[] {
    return this.reports.filter((report): report is Of<Type> => report.type === type);
  }

  /** The result of an attempt, and with it the end of the process. */
  async result(): Promise<RunResult> {
    const {result} = await this.heard('result');
    await this.exited;
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isGone) this.process.kill('SIGKILL');
    await this.exited;
    // What a killed runner leaves is the supervisor's to end, and that is the test.
    const markers = [`SYMPHONY_RUN_ID=${this.job.run_id}`];
    await endProcesses({roots: [], markers, except: []}, 0);
  }

  #hear(said: FromRunner): void {
    if (said.to === 'report') this.reports.push(said.report);
    else {
      this.calls.push(said.call);
      const answer = this.#answer(said.call);
      if (answer !== null) this.tell({order: 'answer', answer});
    }
    this.#wake();
  }

  #answer(call: HostCall): HostAnswer | null {
    const {id} = call;
    const refused = {answer: 'refused', id, message: 'the test refused'} as const;
    if (call.ask === 'tool') {
      const value = this.#rules.callTool?.(call.tool, call.arguments) ?? 'refused';
      if (value === 'silence') return null;
      return value === 'refused' ? refused : {answer: 'tool', id, value};
    }
    const times = this.calls.filter(({ask}) => ask === 'issue').length;
    const issue = this.job.kind === 'attempt' ? this.job.issue : null;
    const value = this.#rules.readIssue?.(times) ?? {issue, go_on: false};
    return value === 'refused' ? refused : {answer: 'issue', id, value};
  }

  #wake(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
