import {isActive, isRoutable, isWorkable, sameState, stateKey} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import type {Claim} from '../../../packages/orchestrator/src/core/claim.ts';
import type {Causes} from '../watcher.ts';
import type {World} from '../world.ts';
import {checkPrecedence} from './check-precedence.ts';

type Fail = (problem: string) => void;
type Running = Extract<Claim, {is: 'running'}>;
type Retrying = Extract<Claim, {is: 'retrying'}>;

/** Whether what the supervisor has just decided is what it promises to decide. */
export function checkStep(
  world: World,
  before: State,
  after: State,
  causes: Causes,
  fail: Fail,
): void {
  const reserved: [key: string, claim: Running][] = [];
  for (const [key, claim] of after.claims) {
    const former = before.claims.get(key);
    if (former === claim) continue;
    if (claim.is === 'running') {
      const isNew = former?.is !== 'running' || former.run.id !== claim.run.id;
      if (isNew) {
        reserved.push([key, claim]);
        checkAttempt(key, former, claim, causes, fail);
      }
      const wasReading = isNew || (former?.is === 'running' && former.run.step === 'reading');
      if (wasReading && claim.run.step !== 'reading')
        checkDispatch(world, before, after, claim, causes, fail);
    }
    if (former?.is === 'stopping' && claim.is === 'retrying') {
      checkRetry(world, after, key, former, claim, fail);
    }
  }
  if (reserved.length > 0) {
    const claims = reserved.map(([, claim]) => claim);
    checkSlots(world, after, claims, fail);
    checkPrecedence(world, before, after, reserved, fail);
  }
  for (const [key, former] of before.claims) {
    if (former.is === 'held' && after.claims.get(key)?.is !== 'held') {
      checkLetGo(before, after, key, former, causes, fail);
    }
  }
}

/** A retry keeps its number; whatever was let go, and is taken anew, begins from the start. */
function checkAttempt(
  key: string,
  former: Claim | undefined,
  {run, issue}: Running,
  causes: Causes,
  fail: Fail,
): void {
  const wasLetGo = causes.commanded.has(key) || causes.read.has(issue.id);
  const wanted = former?.is === 'retrying' ? former.attempt : null;
  if (run.attempt === wanted || (wasLetGo && run.attempt === null)) return;
  if (former?.is === 'retrying' || former === undefined) {
    fail(`${key} starts as attempt ${run.attempt}, not ${wanted}`);
  }
}

/** Nothing is dispatched while there is a reason not to. */
function checkDispatch(
  world: World,
  before: State,
  after: State,
  claim: Running,
  {read}: Causes,
  fail: Fail,
): void {
  const issue = read.get(claim.issue.id);
  const tracker = after.projects.get(claim.project)?.workflow.settings.tracker;
  if (issue == null || (tracker !== undefined && !isWorkable(issue, tracker))) {
    fail(`${claim.issue.id} is dispatched, and was read as ${issue?.state}`);
  }
  const reasons = [before, after].map((state) => blockOf(world, state, claim.project));
  if (reasons.every((reason) => reason !== null)) {
    fail(`${claim.issue.id} is dispatched although ${reasons[1]}`);
  }
}

export function blockOf(world: World, state: State, name: string): string | null {
  const project = state.projects.get(name);
  if (project === undefined) return 'there is no such project';
  if (state.isShuttingDown) return 'it shuts down';
  if (project.isPaused) return 'it is paused';
  if (project.problem !== null) return 'its workflow is broken';
  if (project.shortage !== null) return 'the disk is full';
  if (project.notBefore !== null && project.notBefore > world.clock.now()) return 'it must wait';
  if (project.agent.is !== 'ready') return `its agent is ${project.agent.is}`;
  return state.storeIsWritable ? null : 'the store cannot be written';
}

/** Running and stopping never exceed a limit by what is taken now. */
function checkSlots(world: World, state: State, reserved: readonly Running[], fail: Fail): void {
  const takers = [...state.claims.values()].filter((claim) => takesSlot(world, claim));
  if (takers.length > (state.maxAgents ?? Number.POSITIVE_INFINITY)) {
    fail(`${takers.length} agents in all`);
  }
  for (const {project: name, issue} of reserved) {
    const agent = state.projects.get(name)?.workflow.settings.agent;
    if (agent === undefined) continue;
    const own = takers.filter((claim) => claim.project === name);
    if (own.length > agent.maxConcurrentAgents) fail(`${own.length} agents for ${name}`);
    const limit = agent.maxConcurrentAgentsByState[stateKey(issue.state)];
    const inState = own.filter((claim) => sameState(claim.issue.state, issue.state));
    if (limit !== undefined && inState.length > limit) {
      fail(`${inState.length} agents for ${name} in ${issue.state}`);
    }
  }
}

export function takesSlot(world: World, claim: Claim): boolean {
  if (claim.is === 'running') return true;
  if (claim.is === 'stopping') return claim.run !== null && claim.run.step !== 'over';
  if (claim.is !== 'retrying' || claim.kind !== 'continuation') return false;
  return claim.waitsFor === null && claim.dueAt > world.clock.now();
}

/** Attempt and delay as the table of what follows a run has them. */
function checkRetry(
  world: World,
  state: State,
  key: string,
  former: Extract<Claim, {is: 'stopping'}>,
  claim: Retrying,
  fail: Fail,
): void {
  const agent = state.projects.get(claim.project)?.workflow.settings.agent;
  if (agent === undefined) return;
  const delay = claim.dueAt - world.clock.now();
  const isDelivery = former.next.do === 'deliver' || former.step === 'delivering';
  // Another process is in the workspace: no failure, and no attempt.
  if (isDelivery && claim.waitsFor !== null) return;
  if (former.next.do === 'retry' || isDelivery) {
    const count = former.failures + 1;
    const wanted = Math.min(10_000 * 2 ** (count - 1), agent.maxRetryBackoffMs);
    if (claim.failures !== count || claim.attempt !== count || delay !== wanted) {
      fail(`${key} failed ${count} times: attempt ${claim.attempt} after ${delay} ms`);
    }
    if (agent.maxConsecutiveFailures > 0 && count >= agent.maxConsecutiveFailures) {
      fail(`${key} is retried after ${count} failures in a row`);
    }
  } else if (former.next.do === 'continue') {
    // After a run that changed nothing it waits by how many of those there were.
    const idle = state.counters.get(key)?.idleRuns ?? 0;
    const backoff = Math.min(10_000 * 2 ** (idle - 1), agent.maxRetryBackoffMs);
    // After a late delivery there is no slot to keep.
    const usual = former.run?.step === 'over' ? 0 : 1_000;
    const wanted = former.outcome === 'no_change' ? backoff : usual;
    if (claim.attempt !== 1 || delay !== wanted) fail(`${key} continues after ${delay} ms`);
  } else if (claim.attempt !== (former.run?.attempt ?? null)) {
    fail(`${key} goes on, but as attempt ${claim.attempt}`);
  }
}

/** What is held waits for a person, or for its issue to change. */
function checkLetGo(
  before: State,
  after: State,
  key: string,
  former: Extract<Claim, {is: 'held'}>,
  causes: Causes,
  fail: Fail,
): void {
  if (causes.commanded.has(key)) return;
  const isReloaded =
    before.projects.get(former.project)?.workflow !== after.projects.get(former.project)?.workflow;
  const mendable = ['template', 'agent_', 'invalid_workspace_cwd', 'delivery_failed', 'untrusted'];
  if (isReloaded && mendable.some((start) => former.because.code.startsWith(start))) return;
  const tracker = after.projects.get(former.project)?.workflow.settings.tracker;
  const read = causes.read.get(former.issue.id);
  if (read === undefined || tracker === undefined) return fail(`${key} is let go by nobody`);
  if (read === null || !isActive(read.state, tracker) || !isRoutable(read, tracker)) return;
  if (sameState(read.state, former.stateThen)) fail(`${key} is let go, and nothing has changed`);
}
