import type {AgentJob, AttemptJob, Failure, RunJob} from '@symphony-supervisor/protocol';
import {type TrashStuck, tellStuck} from '../../core/run/reports.ts';
import {HEARTBEAT_LIMIT_MS} from '../../core/run/stall.ts';
import type {Host} from '../host/host.ts';
import type {Runner, RunnerExit} from '../host/runner.ts';
import type {Log} from '../log.ts';
import type {Outside} from '../outside.ts';

/** Jobs other than runs: they need no slot, and are not in the store. */
export type SmallJob = Exclude<RunJob, AttemptJob>;

export interface SmallJobsOptions {
  readonly host: Pick<Host, 'start'>;
  readonly clock: Outside['clock'];
  readonly life: string;
  readonly log: Log;
}

/** Beyond the time limits of its settings: the start of its runner and the end of its processes. */
const GRACE_MS = 30_000;
/** To compare a workspace with its last delivery, before and after the hook; each has a separate limit. */
const LOOKS_MS = 300_000;
/** To remove one workspace: a large one takes a minute, on a slow disk a few. */
const REMOVAL_MS = 300_000;

/**
 * Runs small jobs to their end. A runner without signs of life, or that exceeds its time limit, is killed:
 * otherwise a frozen check would block its project, and a frozen cleaning those behind it, forever.
 */
export class SmallJobs implements AsyncDisposable {
  readonly #options: SmallJobsOptions;
  readonly #runners = new Map<string, Runner>();
  #started = 0;
  #isDisposed = false;

  constructor(options: SmallJobsOptions) {
    this.#options = options;
  }

  nextId(): string {
    this.#started++;
    return `${this.#options.life}-job-${this.#started}`;
  }

  /** If its runner could not start from the snapshot, it is started once more from the bundle. */
  async run(job: SmallJob): Promise<RunnerExit> {
    const exit = await this.#start(job);
    return exit.mayStartAgain && !this.#isDisposed ? this.#start(job) : exit;
  }

  isAtWork(jobId: string): boolean {
    return this.#runners.has(jobId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#runners.values()].map((runner) => runner[Symbol.asyncDispose]()));
  }

  async #start(job: SmallJob): Promise<RunnerExit> {
    const {host, clock, log} = this.#options;
    let heardAt = clock.monotonic();
    const runner = host.start(job, {
      onReport: (report) => {
        heardAt = clock.monotonic();
        if (report.type === 'trash_stuck') this.#logStuck(report);
      },
      onCall: async ({id}) => ({answer: 'refused', id, message: 'a small job makes no host calls'}),
      onExit: () => this.#runners.delete(job.run_id),
    });
    this.#runners.set(job.run_id, runner);

    const limitMs = deadlineOf(job);
    const endBy = heardAt + limitMs;
    let trouble: string | null = null;
    let timeout: unknown;
    const look = (): void => {
      const now = clock.monotonic();
      const silentAt = heardAt + HEARTBEAT_LIMIT_MS;
      if (now < silentAt && now < endBy) {
        timeout = clock.setTimeout(look, Math.min(silentAt, endBy) - now);
        return;
      }
      trouble =
        now >= endBy
          ? `did not end within ${limitMs / 1000} s`
          : `gave no sign of life for ${HEARTBEAT_LIMIT_MS / 1000} s`;
      const about = {event: 'job.killed', job: job.kind, run_id: job.run_id, reason: trouble};
      log('error', about, 'job.killed');
      void runner.kill();
    };
    look();
    const exit = await runner.exited;
    clock.clearTimeout(timeout);
    return trouble === null ? exit : {...exit, failure: failureOf(job, trouble)};
  }

  /** A separate line: it is not about the job, and may be left from another issue. */
  #logStuck(report: TrashStuck): void {
    const {path, size_kb} = report;
    const about = {event: 'trash.stuck', path, size_kb, reason: tellStuck(report)};
    this.#options.log('warn', about, 'trash.stuck');
  }
}

function deadlineOf(job: SmallJob): number {
  switch (job.kind) {
    case 'probe':
      return 2 * answerLimitOf(job.agent) + GRACE_MS;
    case 'finish':
      return job.hooks.timeout_ms + GRACE_MS;
    case 'deliver':
      return job.hooks.timeout_ms + LOOKS_MS + GRACE_MS;
    case 'clean':
      return job.workspaces.length * (job.hooks.timeout_ms + REMOVAL_MS) + GRACE_MS;
  }
}

/** Some kinds have a longer one for their start. */
function answerLimitOf(agent: AgentJob): number {
  const startMs = 'start_timeout_ms' in agent ? agent.start_timeout_ms : 0;
  return Math.max(agent.read_timeout_ms, startMs);
}

function failureOf({kind}: SmallJob, trouble: string): Failure {
  switch (kind) {
    case 'probe':
      return {code: 'response_timeout', message: `the agent check ${trouble}`};
    case 'finish':
      return {code: 'hook_timeout', message: `after_run ${trouble}`};
    case 'deliver':
      return {code: 'delivery_failed', message: `the delivery ${trouble}`};
    case 'clean':
      return {code: 'workspace_error', message: `the cleaning ${trouble}`};
  }
}
