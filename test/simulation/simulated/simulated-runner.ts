import {mkdirSync, utimesSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {
  type Failure,
  type HostAnswer,
  HostCall,
  type RunJob,
  RunnerReport,
  type RunResult,
  type StopReason,
} from '@symphony-supervisor/protocol';
import type {ProcessIdentity} from '@symphony-supervisor/protocol/processes';
import {HostCalls} from '../../../packages/orchestrator/src/shell/host/local/host-calls.ts';
import type {
  Conclusion,
  Runner,
  RunnerEvents,
  RunnerExit,
} from '../../../packages/orchestrator/src/shell/host/runner.ts';
import type {Life} from '../life.ts';
import type {World} from '../world.ts';

/** What a stop may take beyond its last hook, before it is forced. */
const GRACE_MS = 15_000;

/** Thrown out of a sleep when the runner is told to stop. */
export class Stopped extends Error {}

/** A process that does a job as somebody else's script has it, and is stopped and killed like a real one. */
export class SimulatedRunner implements Runner {
  readonly identity: ProcessIdentity | null;
  readonly exited: Promise<RunnerExit>;
  readonly ready = Promise.resolve();
  readonly job: RunJob;
  readonly life: Life;
  isAlive = true;
  stopReason: StopReason | null = null;
  /** All by the monotonic clock: when it was told to, last said anything, and fell silent but for its heartbeat. */
  stoppedAt: number | null = null;
  lastSaidAt: number;
  stalledSince: number | null = null;
  /** When it learned that its own call took its issue away from it. */
  movedAwayAt: number | null = null;
  /** It does not hear what it is told. */
  ignoresStop = false;
  /** It does not notice that its supervisor is gone. */
  isWedged = false;
  readonly #world: World;
  readonly #events: RunnerEvents;
  readonly #calls: HostCalls;
  readonly #answers = new Map<number, (answer: HostAnswer) => void>();
  #resolveExit: (exit: RunnerExit) => void = () => {};
  #conclusion: Conclusion | null = null;
  #hasWorkspace = false;
  #wakeForStop: (() => void) | null = null;

  constructor(world: World, life: Life, job: RunJob, events: RunnerEvents, isForked: boolean) {
    this.#world = world;
    this.life = life;
    this.job = job;
    this.#events = events;
    this.lastSaidAt = world.clock.monotonic();
    world.pids++;
    this.identity = isForked ? {pid: world.pids, startedAt: `boot:${world.pids}`} : null;
    this.exited = new Promise((resolve) => {
      this.#resolveExit = resolve;
    });
    this.#calls = new HostCalls(events.onCall, (answer) => this.#answers.get(answer.id)?.(answer));
    world.processes.set(job.run_id, this);
    if (life.isAlive && isForked) this.#writeTranscript();
  }

  /** Whose it is; a probe is nobody's, and several workspaces are cleaned by one. */
  get issueIds(): string[] {
    if (this.job.kind === 'clean') return this.job.workspaces.map(({issue}) => issue.id);
    return this.job.kind === 'probe' ? [] : [this.job.issue.id];
  }

  stop(reason: StopReason, withinMs: number | null = null): void {
    if (!this.isAlive) return;
    this.stopReason ??= reason;
    this.stoppedAt ??= this.#world.clock.monotonic();
    const account = this.#world.ledger.accounts.get(this.job.run_id);
    if (account !== undefined) account.stopReason ??= reason;
    this.#calls.refuseAll('the run is being stopped');
    const hookMs = 'hooks' in this.job ? this.job.hooks.timeout_ms : 0;
    const forceMs = Math.min(withinMs ?? Number.POSITIVE_INFINITY, hookMs + GRACE_MS);
    this.#world.after(forceMs, () => {
      if (this.life.isAlive) void this.kill();
    });
    if (!this.ignoresStop) this.#wakeForStop?.();
  }

  async kill(): Promise<ProcessIdentity[]> {
    this.#calls.refuseAll('the run was killed');
    if (this.life.isAlive) {
      this.#world.after(this.#world.chance.between(0, 200), () => this.exit('signal SIGKILL'));
    }
    return [];
  }

  /** Its supervisor is gone: it ends by itself, unless it cannot. */
  loseSupervisor(): void {
    if (this.isWedged) return;
    this.#world.after(this.#world.chance.span(10, 12_000), () => this.exit('no supervisor'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.life.isAlive) return;
    if (this.isAlive) void this.kill();
    await this.exited;
  }

  /** As long as nobody says stop. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopped = () => reject(new Stopped());
      if (this.stopReason !== null && !this.ignoresStop) return stopped();
      this.#wakeForStop = stopped;
      return this.#world.after(ms, () => {
        if (this.isAlive) resolve();
      });
    });
  }

  /** Also after it was told to stop. */
  rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#world.after(ms, () => {
        if (this.isAlive) resolve();
      });
    });
  }

  say(report: RunnerReport): void {
    if (!this.isAlive || !this.life.isAlive) return;
    const said = RunnerReport.parse(report);
    this.lastSaidAt = this.#world.clock.monotonic();
    if (['result', 'cleaned', 'finished', 'delivered', 'probed'].includes(said.type)) {
      this.#conclusion = said as Conclusion;
    }
    this.#hasWorkspace ||= said.type === 'workspace';
    this.#account(said);
    this.#world.watcher.deliveries.noteSaid(this.issueIds, said);
    this.#events.onReport(said);
  }

  ask(call: HostCall): Promise<HostAnswer> {
    return new Promise((resolve) => {
      this.#answers.set(call.id, resolve);
      if (this.life.isAlive) void this.#calls.take(HostCall.parse(call));
    });
  }

  /** The process is gone. Nothing is heard of it after that. */
  exit(how: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#world.processes.delete(this.job.run_id);
    for (const place of this.#world.disk.values()) {
      if (place.lockedBy === this.job.run_id) place.lockedBy = null;
    }
    if (!this.life.isAlive) return;
    const conclusion = this.#conclusion;
    const failure: Failure | null =
      conclusion === null ? {code: 'runner_crashed', message: how} : null;
    const result: RunResult | null = conclusion?.type === 'result' ? conclusion.result : null;
    this.#calls.refuseAll('the run has ended');
    const account = this.#world.ledger.accounts.get(this.job.run_id);
    if (account !== undefined) account.endHeardAt = this.#world.clock.monotonic();
    if (conclusion === null && this.#hasWorkspace) {
      for (const id of this.issueIds) this.#world.watcher.starts.noteDied(id);
    }
    const exit = {conclusion, result, how, failure, mayStartAgain: false};
    this.#events.onExit(exit);
    this.#resolveExit(exit);
  }

  /** Dated as everything here is. */
  #writeTranscript(): void {
    const {transcript_path: path} = this.job;
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, '{}\n');
    const at = new Date(this.#world.clock.now());
    utimesSync(path, at, at);
  }

  #account(said: RunnerReport): void {
    if (said.type === 'delivered' && said.failure === null) {
      for (const id of this.issueIds) this.#world.ledger.noteDelivered(id);
    }
    const account = this.#world.ledger.accounts.get(this.job.run_id);
    if (account === undefined) return;
    const at = this.#world.clock.monotonic();
    if (said.type === 'agent') {
      account.told.push({at, tokens: said.progress.usage.total_tokens});
    } else if (said.type === 'result') {
      account.told.push({at, tokens: said.result.usage.total_tokens});
      // It may be said twice.
      if (account.outcome === null) {
        this.#world.watcher.tallies.noteResult(account.key, said.result);
      }
      account.outcome = said.result.outcome;
      account.failure = said.result.failure?.code ?? null;
      account.threadId = said.result.thread?.id ?? account.threadId;
    } else if (said.type === 'thread') {
      account.threadId = said.thread.id;
    }
  }
}
