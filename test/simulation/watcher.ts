import {type CleanWorkspace, type Issue, sameState} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import {Deliveries} from './checks/check-delivery.ts';
import {Dismissals} from './checks/check-dismissed.ts';
import {checkTokens, Tallies} from './checks/check-limits.ts';
import {checkMotion, StuckCleanings, StuckRetries} from './checks/check-motion.ts';
import {FreeSlots} from './checks/check-precedence.ts';
import {checkRecord, isNoted} from './checks/check-record.ts';
import {OverdueRuns} from './checks/check-silence.ts';
import {Starts} from './checks/check-start.ts';
import {checkStep} from './checks/check-step.ts';
import type {Life} from './life.ts';
import {LastWords, type Order} from './simulated/last-words.ts';
import type {SimulatedRunner} from './simulated/simulated-runner.ts';
import type {World} from './world.ts';

/** What happened since the supervisor was last looked at, and may explain what it did. */
export interface Causes {
  /** Claims that an operator spoke of. */
  readonly commanded: Set<string>;
  /** Issues that were read, a moment ago at most. */
  readonly read: Map<string, Issue | null>;
}

/** What is read while a run ends is good for who follows it, for so long. */
const MOMENT_MS = 1_000;

/** Looks whether the supervisor keeps its promises: at all that it does, and after each step. */
export class Watcher {
  readonly problems: string[] = [];
  readonly causes: Causes = {commanded: new Set(), read: new Map()};
  readonly starts: Starts;
  readonly tallies = new Tallies();
  readonly deliveries = new Deliveries();
  readonly dismissals: Dismissals;
  readonly #world: World;
  readonly #readAt = new Map<string, number>();
  readonly #stuck = new StuckRetries();
  readonly #uncleaned = new StuckCleanings();
  readonly #freeSlots = new FreeSlots();
  readonly #overdue = new OverdueRuns();
  readonly #lastWords = new LastWords();
  #life: Life | null = null;
  #before: State | null = null;
  /** Runs that were under way when the last life was killed: their attempts, by claim. */
  #cutOff = new Map<string, number | null>();

  constructor(world: World) {
    this.#world = world;
    this.starts = new Starts(world);
    this.dismissals = new Dismissals(world);
  }

  fail(problem: string): void {
    this.problems.push(problem);
  }

  noteRead(ids: readonly string[], found: readonly Issue[]): void {
    for (const id of ids) {
      const issue = found.find((one) => one.id === id) ?? null;
      this.causes.read.set(id, issue);
      this.dismissals.noteRead(id, issue);
      this.#readAt.set(id, this.#world.clock.monotonic());
    }
  }

  /** An operator was told that it is done. */
  noteOrder(key: string, command: 'retry' | Order): void {
    this.dismissals.noteOrder(key, command);
    if (command === 'retry') this.starts.noteMessage(key);
    else this.#lastWords.note(key, command);
    const {life} = this.#world;
    if (life?.supervisor?.state.storeIsWritable !== true) return;
    if (!isNoted(life.dir, key, command)) this.fail(`${command} of ${key} is not on record`);
  }

  /** One of our own, not an agent's, is asked for. */
  noteWrite(key: string, issue: Issue, state: string): void {
    const claim = this.#world.life?.supervisor?.state.claims.get(key);
    if (claim === undefined) return this.fail(`${key} is moved to ${state} without a claim`);
    const project = this.#world.life?.supervisor?.state.projects.get(claim.project);
    const handoff = project?.workflow.settings.tracker.handoffState ?? null;
    this.deliveries.checkHandoff(issue.id, state, handoff, (problem) => this.fail(problem));
    if (sameState(claim.issue.state, 'Done')) this.fail(`${key} is over, and is moved to ${state}`);
    if (!sameState(claim.issue.state, issue.state)) {
      this.fail(`${key} is known as ${claim.issue.state}, and is moved on from ${issue.state}`);
    }
  }

  /** One of our own is done. */
  noteWritten(found: Issue, state: string): void {
    if (sameState(found.state, 'Done')) this.fail(`${found.id} was over, and is now in ${state}`);
  }

  noteStart(runner: SimulatedRunner): void {
    if (runner.job.kind === 'attempt') this.deliveries.noteStart(runner.job.issue.id);
    this.starts.check(runner, (problem) => this.fail(problem));
  }

  noteCleaned({issue, workspace_path}: CleanWorkspace): void {
    const place = this.#world.disk.get(workspace_path);
    const runner = this.#world.processes.get(place?.lockedBy ?? '');
    if (runner?.job.kind === 'attempt' && runner.life.isAlive) {
      this.fail(`the workspace of ${issue.id} is cleaned under ${runner.job.run_id}`);
    }
  }

  noteKilled({supervisor, dir}: Life): void {
    const state = supervisor?.state ?? null;
    const isWritten = this.#noteEnd(state);
    if (isWritten && state !== null && this.#before?.storeIsWritable === true) {
      checkRecord(dir, this.#before, state, (problem) => this.fail(problem));
    }
    const claims = [...(supervisor?.state.claims ?? [])];
    this.#cutOff = new Map(
      claims.flatMap(([key, claim]) => (claim.is === 'running' ? [[key, claim.run.attempt]] : [])),
    );
  }

  /** What was cut off goes on at its attempt. */
  #checkResumed(state: State): void {
    for (const [key, attempt] of this.#cutOff) {
      const claim = state.claims.get(key);
      const now = claim?.is === 'running' ? claim.run : claim?.is === 'retrying' ? claim : null;
      if (now !== null && now.attempt !== attempt) {
        this.fail(`${key} was cut off at attempt ${attempt} and goes on at ${now.attempt}`);
      }
    }
    this.#cutOff.clear();
  }

  noteLeft(life: Life): void {
    this.#noteEnd(life.supervisor?.state ?? null);
    for (const {job, life: theirs} of this.#world.processes.values()) {
      if (theirs === life && job.kind === 'attempt')
        this.fail(`life ${life.number} left, and ${job.run_id} runs on`);
    }
  }

  /** What could not be written is lost. */
  #noteEnd(state: State | null): boolean {
    const isWritten =
      this.#world.ledger.unwritableSince === null && state?.storeIsWritable === true;
    if (!isWritten) this.#lastWords.forget();
    this.starts.noteEnd(isWritten);
    this.dismissals.noteEnd(isWritten);
    this.tallies.noteEnd(state);
    return isWritten;
  }

  /** After each step. */
  look(): void {
    this.#ofThisLife();
    const life = this.#world.life;
    const state = life?.supervisor?.state ?? null;
    if (life !== null && state !== null) {
      if (this.#before !== null && this.#before !== state) {
        checkStep(this.#world, this.#before, state, this.causes, (problem) => this.fail(problem));
      }
      if (this.#before === null) this.#checkResumed(state);
      this.starts.look(state, this.causes);
      this.tallies.look(this.#before, state, this.causes.commanded);
      this.dismissals.look(state);
      checkTokens(state, (problem) => this.fail(problem));
      this.#lastWords.check(this.#before, state, this.causes, (problem) => this.fail(problem));
      checkMotion(this.#world, life, state, (problem) => this.fail(problem));
      this.#stuck.check(this.#world, state, (problem) => this.fail(problem));
      this.#uncleaned.check(this.#world, life, state, (problem) => this.fail(problem));
      this.#freeSlots.check(this.#world, state, (problem) => this.fail(problem));
      if (!life.isLeaving)
        this.#overdue.check(this.#world, life, state, (problem) => this.fail(problem));
    }
    this.#before = state;
    this.causes.commanded.clear();
    this.#forgetReads();
  }

  #forgetReads(): void {
    for (const [id, at] of this.#readAt) {
      if (this.#world.clock.monotonic() - at <= MOMENT_MS) continue;
      this.#readAt.delete(id);
      this.causes.read.delete(id);
    }
  }

  #ofThisLife(): void {
    if (this.#world.life === this.#life) return;
    this.#life = this.#world.life;
    this.#before = null;
  }
}
