import {sameState} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import type {Claim} from '../../../packages/orchestrator/src/core/claim.ts';
import type {Life} from '../life.ts';
import type {SimulatedRunner} from '../simulated/simulated-runner.ts';
import {NOTICED_MS, TIMERS_LATE_MS} from '../surroundings/clock.ts';
import type {World} from '../world.ts';
import {blockOf, takesSlot} from './check-step.ts';

const LONGEST_BACKOFF_MS = 300_000;
/** No limit of an account takes longer than two hours to be refilled here. */
export const LONGEST_RESET_MS = 7_200_000;

type Fail = (problem: string) => void;

/** Every claim has a runner, an answer on its way, a timer, or a reason to wait. */
export function checkMotion(world: World, life: Life, state: State, fail: Fail): void {
  if (life.isLeaving) return;
  for (const [key, claim] of state.claims) {
    if (isInMotion(world, life, state, claim)) continue;
    const {is, step} = {step: null, ...claim};
    fail(`${key} is ${is} (${step}) and waits for nothing: ${JSON.stringify(claim)}`);
  }
  if (isJumpNoticed(world)) checkWaits(world, state, fail);
  for (const runner of world.processes.values()) {
    const {job} = runner;
    if (job.kind !== 'attempt') continue;
    if (runner.life !== life) fail(`${job.run_id} of a former life runs on`);
    const isKnown = [...state.claims.values()].some(
      (claim) => 'run' in claim && claim.run?.id === job.run_id,
    );
    if (!isKnown) fail(`${job.run_id} runs unseen`);
  }
}

/** A jump is noticed when the clock is next looked at. */
function isJumpNoticed({clock}: World): boolean {
  return clock.monotonic() > clock.jumpedAt + NOTICED_MS;
}

/** Nothing waits longer than it was meant to, whatever the clock was set to. */
function checkWaits(world: World, state: State, fail: Fail): void {
  const now = world.clock.now();
  for (const [key, claim] of state.claims) {
    const longest = Math.max(LONGEST_BACKOFF_MS, patience(state, claim));
    if (claim.is === 'retrying' && claim.dueAt - now > longest) {
      fail(`${key} waits for ${claim.dueAt - now} ms`);
    }
  }
  for (const {name, agent} of state.projects.values()) {
    if (agent.is === 'blocked' && agent.until - now > LONGEST_RESET_MS) {
      fail(`the agent of ${name} waits for ${agent.until - now} ms`);
    }
  }
}

function isInMotion(world: World, life: Life, state: State, claim: Claim): boolean {
  const {id} = claim.issue;
  const isAsked = (what: 'ids' | 'write' | 'tools') =>
    [...life.trackers.pending].some((call) => call.what === what && call.ids.includes(id));
  const hasJob = (kind: string) =>
    jobsOf(world, life, kind).some((job) => job.issueIds.includes(id));
  // What cannot be taken back waits until the store can be written.
  const isHeldBack = !state.storeIsWritable;
  const hasRunner = () =>
    isHeldBack ||
    isAsked('tools') ||
    ('run' in claim && claim.run !== null && world.processes.has(claim.run.id));
  switch (claim.is) {
    case 'held':
    case 'dismissed':
      return true;
    case 'retrying':
      if (claim.waitsFor !== null || !isJumpNoticed(world)) return true;
      return claim.dueAt >= world.clock.now() - TIMERS_LATE_MS - 1_000;
    case 'running':
      if (claim.run.step === 'reading') return isAsked('ids');
      return claim.run.step === 'marking' ? isHeldBack || isAsked('write') : hasRunner();
    case 'stopping':
      if (claim.step === 'runner') return hasRunner();
      if (claim.step === 'reading' || claim.step === 'confirming') return isAsked('ids');
      if (claim.step === 'handing-off' || claim.step === 'marking')
        return isHeldBack || isAsked('write');
      // A cleaning waits for the batch before it; how long, `StuckCleanings` checks.
      if (claim.step === 'delivering') return isHeldBack || hasJob('deliver');
      return isHeldBack || claim.step === 'cleaning' || hasJob('finish');
  }
}

function jobsOf(world: World, life: Life, kind: string): SimulatedRunner[] {
  const runners = [...world.processes.values()];
  return runners.filter((runner) => runner.life === life && runner.job.kind === kind);
}

/** Between two batches: the end of one process and the start of the next. */
const LONGEST_PAUSE_MS = 5_000 + TIMERS_LATE_MS;

/** A workspace that is to be cleaned is cleaned, if not at once, then soon. */
export class StuckCleanings {
  readonly #since = new Map<string, number>();
  #life: Life | null = null;

  check(world: World, life: Life, state: State, fail: Fail): void {
    // Each life begins anew, and one that is leaving leaves it to the next.
    if (this.#life !== life || life.isLeaving) this.#since.clear();
    this.#life = life;
    if (life.isLeaving) return;
    const now = world.clock.monotonic();
    const jobs = jobsOf(world, life, 'clean');
    for (const key of this.#since.keys()) if (!state.claims.has(key)) this.#since.delete(key);
    for (const [key, claim] of state.claims) {
      const isWaiting =
        claim.is === 'stopping' &&
        claim.step === 'cleaning' &&
        state.storeIsWritable &&
        // One process cleans at a time; what it does not clean waits for the next.
        jobs.length === 0;
      const since = this.#since.get(key) ?? now;
      if (isWaiting) this.#since.set(key, since);
      else this.#since.delete(key);
      if (isWaiting && now - since > LONGEST_PAUSE_MS) {
        fail(`${key} waits to be cleaned since ${now - since} ms`);
      }
    }
  }
}

/** A retry that is due and could start, starts; if not at once, then with the next tick. */
export class StuckRetries {
  readonly #since = new Map<string, number>();

  check(world: World, state: State, fail: Fail): void {
    const now = world.clock.monotonic();
    for (const [key, claim] of state.claims) {
      if (!couldStart(world, state, claim)) this.#since.delete(key);
      else if (!this.#since.has(key)) this.#since.set(key, now);
    }
    for (const [key, since] of this.#since) {
      const claim = state.claims.get(key);
      if (claim === undefined) this.#since.delete(key);
      else if (now - since > patience(state, claim)) {
        fail(`${key} could start since ${now - since} ms: ${JSON.stringify(claim)}`);
      }
    }
  }
}

function patience(state: State, {project}: Claim): number {
  const settings = state.projects.get(project)?.workflow.settings;
  return 2 * (settings?.polling.intervalMs ?? 0) + 120_000;
}

function couldStart(world: World, state: State, claim: Claim): boolean {
  if (claim.is !== 'retrying' || claim.dueAt > world.clock.now()) return false;
  if (claim.undelivered !== null) return mayDeliver(state, claim.project);
  if (blockOf(world, state, claim.project) !== null) return false;
  const takers = [...state.claims.values()].filter((one) => takesSlot(world, one));
  if (takers.length >= (state.maxAgents ?? Number.POSITIVE_INFINITY)) return false;
  const agent = state.projects.get(claim.project)?.workflow.settings.agent;
  if (agent === undefined) return false;
  const own = takers.filter(({project}) => project === claim.project);
  const limit = agent.maxConcurrentAgentsByState[claim.issue.state.toLowerCase()];
  const inState = own.filter(({issue}) => sameState(issue.state, claim.issue.state));
  if (limit !== undefined && inState.length >= limit) return false;
  return own.length < agent.maxConcurrentAgents;
}

/** It needs neither slot nor agent nor tracker. */
function mayDeliver({projects, isShuttingDown, storeIsWritable}: State, name: string): boolean {
  return projects.get(name)?.isPaused === false && !isShuttingDown && storeIsWritable;
}
