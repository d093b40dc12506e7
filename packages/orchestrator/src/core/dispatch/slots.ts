import {stateKey} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey} from '../claim.ts';
import type {Project, State} from '../state.ts';

/**
 * How many agents run, counted once and then kept by whoever takes a slot. A runner that is being
 * stopped still has its slot, a workspace that is only being cleaned needs none, and a clean run keeps
 * its slot for its continuation until that is due.
 */
export class Slots {
  readonly #maxAgents: number;
  readonly #byProject = new Map<string, number>();
  readonly #byState = new Map<string, number>();
  #all = 0;

  constructor(claims: ReadonlyMap<ClaimKey, Claim>, maxAgents: State['maxAgents'], at: number) {
    this.#maxAgents = maxAgents ?? Number.POSITIVE_INFINITY;
    for (const claim of claims.values())
      if (takesSlot(claim, at)) this.take(claim.project, claim.issue.state);
  }

  take(project: string, state: string): void {
    this.#all++;
    increment(this.#byProject, project);
    increment(this.#byState, `${project}/${stateKey(state)}`);
  }

  /** Why no slot is free for an issue in that state; null if one is. */
  lacking(project: Project, state: string): string | null {
    const {agent} = project.workflow.settings;
    const stateLimit = agent.maxConcurrentAgentsByState[stateKey(state)];
    if (this.isFull(project)) return NO_SLOTS;
    const used = this.#byState.get(`${project.name}/${stateKey(state)}`) ?? 0;
    return stateLimit !== undefined && used >= stateLimit ? NO_SLOTS : null;
  }

  /** No slot is free for any issue of this project, whatever its state. */
  isFull({name, workflow}: Project): boolean {
    const {maxConcurrentAgents} = workflow.settings.agent;
    return this.#all >= this.#maxAgents || this.used(name) >= maxConcurrentAgents;
  }

  get all(): number {
    return this.#all;
  }

  used(project: string): number {
    return this.#byProject.get(project) ?? 0;
  }

  /** The share of its own limit that a project has in use: the smallest goes first. */
  share(project: Project): number {
    return this.used(project.name) / project.workflow.settings.agent.maxConcurrentAgents;
  }
}

export const NO_SLOTS = 'no available orchestrator slots';

export function takesSlot(claim: Claim, at: number): boolean {
  if (claim.is === 'running') return true;
  if (claim.is === 'stopping') return claim.run !== null;
  return (
    claim.is === 'retrying' &&
    claim.kind === 'continuation' &&
    claim.waitsFor === null &&
    claim.dueAt > at
  );
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
