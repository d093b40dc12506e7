import {
  createMask,
  type Failure,
  FromRunner,
  type HostAnswer,
  ipcTransport,
  PROTOCOL_VERSION,
  type RunJob,
  type RunnerReport,
  type StopReason,
  secretValues,
  type ToRunner,
  type Transport,
} from '@symphony-supervisor/protocol';
import {
  endProcesses,
  identify,
  type ProcessIdentity,
} from '@symphony-supervisor/protocol/processes';
import type {Conclusion, Runner, RunnerEvents, RunnerExit} from '../runner.ts';
import {type Environment, endOf, forkRunner, giveWay, runnerEnvironment} from './fork-runner.ts';
import {HostCalls} from './host-calls.ts';
import {OutputTail} from './output-tail.ts';

export interface RunnerOptions {
  /** The runner's bundle. */
  readonly path: string;
  /** The snapshot to start from; null: from the bundle. */
  readonly snapshot?: string | null;
  readonly environment: Environment;
  /** Awaited before the runner gets its job. */
  readonly jobEnvironment?: JobEnvironment;
  /** Time of a stop beyond `after_run`, before it is forced. */
  readonly graceMs?: number;
  /** Processes that survived SIGKILL. May be called after `onExit`. */
  readonly onLeft?: (processes: readonly ProcessIdentity[]) => void;
  readonly endProcesses?: typeof endProcesses;
}

/** The environment of hooks and agent of a job; null: that of the runner itself. */
export type JobEnvironment = () => Promise<Readonly<Record<string, string>> | null>;

/** An unresponsive agent is killed after a few seconds, and so are its processes. */
const GRACE_MS = 15_000;
/** If time is short, a runner gets this much less: its result must arrive before it is killed. */
const REPORT_MS = 500;
/** For processes that a dead runner has left: they were never asked to end. */
const ORPHAN_GRACE_MS = 1_000;
/** At shutdown a current small job is awaited; an attempt was asked before, or is already ending. */
const SMALL_JOB_END_MS = 3_000;
const ATTEMPT_END_MS = 1_000;
/** A start takes a tenth of a second, on a busy machine a few. */
const READY_LIMIT_MS = 10_000;

/** One runner: forked, given its job, monitored, stopped or killed, and ended with all its processes. */
export class RunnerProcess implements Runner {
  readonly identity: ProcessIdentity | null;
  readonly exited: Promise<RunnerExit>;
  readonly ready: Promise<void>;
  readonly #job: RunJob;
  readonly #events: RunnerEvents;
  readonly #graceMs: number;
  readonly #isFromSnapshot: boolean;
  readonly #onLeft: (processes: readonly ProcessIdentity[]) => void;
  readonly #endProcesses: typeof endProcesses;
  readonly #environment: Environment;
  readonly #jobEnvironment: JobEnvironment;
  readonly #line: Transport | null;
  readonly #calls: HostCalls;
  readonly #output = new OutputTail();
  #isStopping = false;
  #isExited = false;
  #forceAt = Number.POSITIVE_INFINITY;
  #forceTimer: NodeJS.Timeout | undefined;
  #isGreeted = false;
  #isReady: () => void = () => {};
  #conclusion: Conclusion | null = null;
  /** Why it never got its job. */
  #refusal: string | null = null;

  constructor(job: RunJob, options: RunnerOptions, events: RunnerEvents) {
    const {path, snapshot = null, environment} = options;
    this.#job = job;
    this.#isFromSnapshot = snapshot !== null;
    this.#onLeft = options.onLeft ?? (() => {});
    this.#endProcesses = options.endProcesses ?? endProcesses;
    this.#events = events;
    this.#jobEnvironment = options.jobEnvironment ?? (async () => null);
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.#environment = runnerEnvironment(environment, job.secret_names, job.run_id);
    this.#calls = new HostCalls(events.onCall, (answer) => this.#answer(answer));
    const child = forkRunner(path, snapshot, this.#environment);
    const isRunning = !(child instanceof Error) && child.pid !== undefined;
    if (isRunning && job.kind === 'clean') giveWay(child.pid);
    this.identity = isRunning ? identify(child.pid) : null;
    this.#line = isRunning ? ipcTransport(child) : null;
    this.#line?.onMessage((message) => this.#hear(message));
    this.ready = new Promise((resolve) => {
      const timer = setTimeout(resolve, READY_LIMIT_MS).unref();
      this.#isReady = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.exited = endOf(child, this.#output).then((how) => this.#exit(how));
  }

  /** Asks. The first reason is kept; a later call can only shorten the remaining time. Then forces. */
  stop(reason: StopReason, withinMs: number | null = null): void {
    if (this.#isExited) return;
    this.#isStopping = true;
    this.#calls.refuseAll('the run is being stopped');
    const told = withinMs === null ? {} : {within_ms: withinMs - Math.min(REPORT_MS, withinMs / 2)};
    this.#tell({order: 'stop', reason, ...told});
    const hooks = 'hooks' in this.#job ? this.#job.hooks : null;
    const hookMs = (hooks?.timeout_ms ?? 0) * (hooks?.deliver == null ? 1 : 2);
    this.#forceWithin(Math.min(withinMs ?? Number.POSITIVE_INFINITY, hookMs + this.#graceMs));
  }

  /** Forces: ends everything with the run's id, now or after a grace period. Returns what is still alive. */
  async kill(graceMs = 0): Promise<readonly ProcessIdentity[]> {
    this.#isStopping = true;
    this.#calls.refuseAll('the run was killed');
    const roots = this.identity === null ? [] : [this.identity];
    const markers = [`SYMPHONY_RUN_ID=${this.#job.run_id}`];
    const left = await this.#endProcesses({roots, markers, except: [process.pid]}, graceMs);
    if (left.length > 0) this.#onLeft(left);
    return left;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop('interrupted', this.#job.kind === 'attempt' ? ATTEMPT_END_MS : SMALL_JOB_END_MS);
    await this.exited;
  }

  #hear(message: unknown): void {
    if (this.#isExited) return;
    const said = FromRunner.safeParse(message);
    if (!this.#isGreeted) this.#greet(said.success ? said.data : null);
    if (!said.success) {
      this.#events.onReport({type: 'note', message: `invalid message: ${excerpt(message)}`});
    } else if (said.data.to === 'ask') void this.#calls.take(said.data.call);
    else {
      if (isConclusion(said.data.report)) this.#conclusion = said.data.report;
      this.#events.onReport(said.data.report);
    }
  }

  /** A job is sent only to a compatible runner, and only while it is still wanted. */
  #greet(said: FromRunner | null): void {
    this.#isGreeted = true;
    this.#isReady();
    const refusal = refusalOf(said);
    if (refusal === null) void this.#giveJob();
    else this.#refuse(refusal);
  }

  async #giveJob(): Promise<void> {
    const environment = await this.#jobEnvironment();
    if (this.#isStopping) return this.#refuse('it was stopped before it began');
    const given = environment === null ? {} : {environment};
    this.#tell({order: 'start', job: this.#job, ...given});
  }

  #refuse(reason: string): void {
    this.#refusal = reason;
    this.#line?.close(); // without a supervisor it ends by itself
    this.#forceWithin(this.#graceMs);
  }

  #forceWithin(limitMs: number): void {
    const forceAt = performance.now() + limitMs;
    if (forceAt >= this.#forceAt) return;
    this.#forceAt = forceAt;
    clearTimeout(this.#forceTimer);
    this.#forceTimer = setTimeout(() => void this.kill(), limitMs);
  }

  #answer(answer: HostAnswer): void {
    this.#tell({order: 'answer', answer});
  }

  #tell(order: ToRunner): void {
    // A closed channel is an exit, and reported as one.
    this.#line?.send(order).catch(() => {});
  }

  async #exit(how: string): Promise<RunnerExit> {
    const conclusion = this.#conclusion;
    const mayStartAgain = this.#isFromSnapshot && !this.#isGreeted && !this.#isStopping;
    this.#isReady();
    // The runner could not end its processes; that is done here, before its workspace is used again.
    if (conclusion === null && this.#line !== null) await this.kill(ORPHAN_GRACE_MS);
    clearTimeout(this.#forceTimer);
    this.#isExited = true;
    this.#calls.refuseAll('the run has ended');
    const exit = {
      conclusion,
      result: conclusion?.type === 'result' ? conclusion.result : null,
      how,
      failure: conclusion === null ? this.#failure(how) : null,
      mayStartAgain,
    };
    this.#events.onExit(exit);
    return exit;
  }

  #failure(how: string): Failure {
    const mask = createMask({values: secretValues(this.#environment)});
    const output = this.#output.text();
    const message = this.#refusal ?? (output === '' ? how : `${how}\n${mask(output)}`);
    return {code: 'runner_crashed', message};
  }
}

/** Versions can differ after an upgrade: the file of the runner is replaced while its supervisor still runs. */
function refusalOf(first: FromRunner | null): string | null {
  const hello = first?.to === 'report' && first.report.type === 'hello' ? first.report : null;
  if (hello === null)
    return 'the runner did not send its hello; check that it is of the same version';
  if (hello.protocol === PROTOCOL_VERSION) return null;
  return `the runner has version ${hello.protocol} of the protocol, this supervisor version ${PROTOCOL_VERSION}; restart the supervisor after an upgrade`;
}

function isConclusion(report: RunnerReport): report is Conclusion {
  return ['result', 'cleaned', 'finished', 'delivered', 'probed'].includes(report.type);
}

function excerpt(message: unknown): string {
  return (JSON.stringify(message) ?? String(message)).slice(0, 200);
}
