import {
  type AttemptJob,
  isTerminal,
  isWorkable,
  policyOf,
  sameState,
} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import type {Account, Ledger} from '../ledger.ts';
import type {SimulatedRunner} from '../simulated/simulated-runner.ts';
import type {Causes} from '../watcher.ts';
import type {World} from '../world.ts';
import {isOnRecord} from './check-record.ts';

type Fail = (problem: string) => void;

/** What a runner is started with: looked at from outside, by what others have told before. */
export class Starts {
  readonly #world: World;
  /** What operators want agents to hear, by claim. */
  readonly #messages = new Set<string>();
  /** Issues whose runner died, and whose last hook has not run since. */
  readonly #unfinished = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  noteMessage(key: string): void {
    this.#messages.add(key);
  }

  noteDied(issueId: string): void {
    this.#unfinished.add(issueId);
  }

  /** A supervisor that is gone: its runners run their last hook themselves. */
  noteEnd(isWritten: boolean): void {
    this.#unfinished.clear();
    if (!isWritten) this.#messages.clear();
  }

  /** Whoever is let go or held hears nothing any more. */
  look(state: State, causes: Causes): void {
    for (const key of this.#messages) {
      const claim = state.claims.get(key);
      const tracker = state.projects.get(claim?.project ?? '')?.workflow.settings.tracker;
      const read = causes.read.get(claim?.issue.id ?? '');
      const isRefused =
        read === null ||
        (read !== undefined && tracker !== undefined && !isWorkable(read, tracker));
      if ((claim?.is !== 'retrying' && claim?.is !== 'running') || isRefused) {
        this.#messages.delete(key);
      }
    }
  }

  check(runner: SimulatedRunner, fail: Fail): void {
    const {job, life} = runner;
    this.#checkAlone(runner, fail);
    if (job.kind === 'finish') this.#unfinished.delete(job.issue.id);
    if (job.kind !== 'attempt') return;
    const {run_id} = job;
    const state = life.supervisor?.state;
    const [key, claim] =
      [...(state?.claims ?? [])].find(([, {issue}]) => issue.id === job.issue.id) ?? [];
    if (key === undefined || claim === undefined) return fail(`${run_id} starts without a claim`);
    if (claim.is !== 'running') fail(`${run_id} starts although its claim is ${claim.is}`);
    if (!isOnRecord(life.dir, run_id)) fail(`${run_id} starts, and is not on record`);
    if (this.#unfinished.has(job.issue.id)) {
      fail(`${run_id} starts before the last hook of the run before it`);
    }
    const isHeard = job.messages.length > 0 || !this.#messages.delete(key);
    if (!isHeard) fail(`${run_id} starts, and ${key} is not told what an operator said`);
    this.#messages.delete(key);
    const tracker = state?.projects.get(claim.project)?.workflow.settings.tracker;
    const isBlocked = job.issue.blocked_by.some(
      (blocker) =>
        blocker.state === null || (tracker !== undefined && !isTerminal(blocker.state, tracker)),
    );
    if (sameState(job.issue.state, 'Todo') && isBlocked) fail(`${run_id} starts, and is blocked`);
    checkThread(job, this.#world.ledger, key, fail);
    this.#world.ledger.open(job, key);
    this.#world.watcher.tallies.noteStart(key, run_id, fail);
    this.#world.watcher.dismissals.noteStart(key, run_id, fail);
  }

  #checkAlone({job, life, issueIds}: SimulatedRunner, fail: Fail): void {
    for (const other of this.#world.processes.values()) {
      const theirs = other.job;
      if (theirs.run_id === job.run_id) continue;
      if (!other.issueIds.some((id) => issueIds.includes(id))) continue;
      const isOneOfTwo = [theirs.kind, job.kind].includes('attempt');
      if (isOneOfTwo && (other.life === life || theirs.kind === 'attempt')) {
        fail(`${job.kind} ${job.run_id} starts beside ${theirs.kind} ${theirs.run_id}`);
      }
    }
  }
}

/** Work goes on in its conversation, until that has failed twice or is full. */
function checkThread(job: AttemptJob, ledger: Ledger, key: string, fail: Fail): void {
  const [last, before] = ledger.lastOf(key);
  if (last === undefined || last.cutAt !== null || job.retry === null) return;
  const told = `${job.run_id} goes on in ${job.thread?.id ?? 'a fresh thread'} after ${last.runId}`;
  const isSame = job.thread !== null && job.thread.id === last.threadId;
  if (job.retry === 'continuation' && last.threadId !== null && !isSame) fail(told);
  if (job.retry !== 'failure' || job.thread === null) return;
  if (last.failure === 'context_window_exceeded' && last.stopReason === null) fail(told);
  const isTwice = before?.threadId === last.threadId && hasFailed(before) && hasFailed(last);
  if (last.retry === 'failure' && isSame && isTwice) fail(`${told}, which has failed twice`);
}

/** By its own fault: neither the host's nor anybody else's. */
function hasFailed({outcome, failure, stopReason}: Account): boolean {
  if (stopReason !== null) return stopReason === 'stalled';
  return outcome === null || (failure !== null && policyOf(failure) === 'retry');
}
