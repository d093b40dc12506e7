import {
  type Issue,
  isTerminal,
  isWorkable,
  sameState,
  stateKey,
} from '@symphony-supervisor/protocol';
import type {State} from 'symphony-supervisor/core';
import type {Claim} from '../../../packages/orchestrator/src/core/claim.ts';
import type {Project} from '../../../packages/orchestrator/src/core/state.ts';
import {Lasting} from '../lasting.ts';
import {NOTICED_MS} from '../surroundings/clock.ts';
import type {World} from '../world.ts';
import {blockOf, takesSlot} from './check-step.ts';

type Fail = (problem: string) => void;
type Running = Extract<Claim, {is: 'running'}>;

/** Whoever could have had a slot that somebody else has just got, and was to come first. */
export function checkPrecedence(
  world: World,
  before: State,
  after: State,
  reserved: readonly (readonly [key: string, claim: Running])[],
  fail: Fail,
): void {
  for (const [key, {project: name, issue}] of reserved) {
    const project = after.projects.get(name);
    if (project === undefined) continue;
    const former = before.claims.get(key);
    const dueAt = former?.is === 'retrying' ? former.dueAt : Number.POSITIVE_INFINITY;
    for (const [other, claim] of after.claims) {
      // A delivery takes no slot.
      if (claim.is !== 'retrying' || claim.undelivered !== null) continue;
      if (claim.project !== name) continue;
      if (before.claims.get(other) !== claim || claim.dueAt > world.clock.now()) continue;
      if (claim.dueAt < dueAt && sameState(claim.issue.state, issue.state)) {
        fail(`${key} is taken, and ${other} is due since ${claim.dueAt}, not ${dueAt}`);
      }
    }
    if (former === undefined) {
      for (const first of passedOver(before, after, project, issue)) {
        fail(`${key} is taken before ${first.id}`);
      }
    }
    checkShare(world, before, after, project, fail);
  }
}

function passedOver(before: State, after: State, project: Project, issue: Issue): Issue[] {
  const known = new Set(before.projects.get(project.name)?.candidates.map(({id}) => id));
  return freeCandidates(after, project).filter(
    (other) =>
      !before.claims.has(`${project.name}/${other.id}`) &&
      // Of a list that came later, nothing could be taken then.
      (known.has(other.id) || !known.has(issue.id)) &&
      sameState(other.state, issue.state) &&
      comesFirst(other, issue),
  );
}

/** Of two projects, the one with the smaller share of its limit in use goes first. */
function checkShare(world: World, before: State, state: State, project: Project, fail: Fail): void {
  const limit = project.workflow.settings.agent.maxConcurrentAgents;
  const shareThen = (used(world, state, project.name) - 1) / limit;
  for (const other of state.projects.values()) {
    const {agent} = other.workflow.settings;
    const share = used(world, state, other.name) / agent.maxConcurrentAgents;
    const isBlocked = [before, state].some((one) => blockOf(world, one, other.name) !== null);
    if (share >= shareThen || share >= 1 || isBlocked) continue;
    const left = freeCandidates(state, other).filter(
      (issue) =>
        !before.claims.has(`${other.name}/${issue.id}`) && hasRoom(world, state, other, issue),
    );
    if (left.length > 0) fail(`${project.name} has ${shareThen}, ${other.name} only ${share}`);
  }
}

/** A slot that is free does not wait for the next poll while somebody is known who could have it. */
export class FreeSlots {
  readonly #lasting = new Lasting();
  /** Claimed since the last list was fetched: what that list says of them is old. */
  readonly #since = new Map<string, Set<string>>();

  check(world: World, state: State, fail: Fail): void {
    const now = world.clock.monotonic();
    this.#noteClaimed(state);
    const isFull = allUsed(world, state) >= (state.maxAgents ?? Number.POSITIVE_INFINITY);
    for (const project of state.projects.values()) {
      const isFree =
        !isFull &&
        // What is left of a tick comes first.
        project.poll.is === 'waiting' &&
        // Who was told to wait asks again with the next tick.
        project.notBefore === null &&
        blockOf(world, state, project.name) === null &&
        used(world, state, project.name) < project.workflow.settings.agent.maxConcurrentAgents;
      const since = this.#since.get(project.name);
      const waiting = isFree
        ? freeCandidates(state, project).filter(
            (issue) => !since?.has(issue.id) && hasRoom(world, state, project, issue),
          )
        : [];
      const forMs = this.#lasting.note(project.name, waiting.length > 0, now);
      if (forMs > NOTICED_MS) fail(`${waiting[0]?.id} could have had a slot for ${forMs} ms`);
    }
  }

  #noteClaimed(state: State): void {
    for (const {name, poll} of state.projects.values()) {
      if (poll.is === 'reading-candidates') this.#since.delete(name);
    }
    for (const {project, issue} of state.claims.values()) {
      this.#since.set(project, (this.#since.get(project) ?? new Set()).add(issue.id));
    }
  }
}

function freeCandidates(state: State, {name, candidates, workflow}: Project): Issue[] {
  const {tracker} = workflow.settings;
  return candidates.filter((issue) => {
    if (state.claims.has(`${name}/${issue.id}`) || !isWorkable(issue, tracker)) return false;
    if (!sameState(issue.state, 'Todo')) return true;
    return issue.blocked_by.every((one) => one.state !== null && isTerminal(one.state, tracker));
  });
}

function hasRoom(world: World, state: State, {name, workflow}: Project, issue: Issue): boolean {
  const limit = workflow.settings.agent.maxConcurrentAgentsByState[stateKey(issue.state)];
  if (limit === undefined) return true;
  const same = [...state.claims.values()].filter(
    (claim) =>
      claim.project === name &&
      sameState(claim.issue.state, issue.state) &&
      takesSlot(world, claim),
  );
  return same.length < limit;
}

function allUsed(world: World, state: State): number {
  return [...state.claims.values()].filter((claim) => takesSlot(world, claim)).length;
}

function used(world: World, state: State, project: string): number {
  const own = [...state.claims.values()].filter((claim) => claim.project === project);
  return own.filter((claim) => takesSlot(world, claim)).length;
}

/** Priority 1 to 4, then everything else; then the oldest; then by name. */
function comesFirst(a: Issue, b: Issue): boolean {
  const rank = ({priority}: Issue) => ([1, 2, 3, 4].includes(priority ?? 0) ? (priority ?? 0) : 5);
  if (rank(a) !== rank(b)) return rank(a) < rank(b);
  const [then, now] = [a.created_at ?? '9999', b.created_at ?? '9999'];
  return then === now ? a.identifier < b.identifier : then < now;
}
