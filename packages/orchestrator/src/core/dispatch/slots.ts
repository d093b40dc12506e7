import {stateKey} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey, WaitReason} from '../claim.ts';
import type {Project, State} from '../state.ts';

/**
 * Number of running agents, counted once and then updated as slots are taken. A stopping runner still has
 * its slot, a workspace that is being cleaned needs none, and a clean run keeps its slot until its
 * continuation is due.
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

  /** The limit that leaves no slot for an issue in that state; null if a slot is free. */
  lacking(project: Project, state: string): SlotReason | null {
    return this.full(project) ?? (this.#isStateFull(project, state) ? 'state_full' : null);
  }

  /** The limit that leaves no slot for any issue of this project, whatever its state. */
  full({name, workflow}: Project): Exclude<SlotReason, 'state_full'> | null {
    if (this.used(name) >= workflow.settings.agent.maxConcurrentAgents) return 'project_full';
    return this.#all >= this.#maxAgents ? 'global_full' : null;
  }

  #isStateFull({name, workflow}: Project, state: string): boolean {
    const limit = workflow.settings.agent.maxConcurrentAgentsByState[stateKey(state)];
    return limit !== undefined && (this.#byState.get(`${name}/${stateKey(state)}`) ?? 0) >= limit;
  }

  get all(): number {
    return this.#all;
  }

  used(project: string): number {
    return this.#byProject.get(project) ?? 0;
  }

  /** The used share of a project's own limit: the smallest goes first. */
  share(project: Project): number {
    return this.used(project.name) / project.workflow.settings.agent.maxConcurrentAgents;
  }
}

/** The limit that an issue waits for: its project's, the global one, or that of its state. */
export type SlotReason = 'project_full' | 'global_full' | 'state_full';

export function noSlot(reason: SlotReason): WaitReason {
  return `no available orchestrator slots (${reason})`;
}

export function takesSlot(claim: Claim, at: number): boolean {
  if (claim.is === 'running') return true;
  if (claim.is === 'stopping') return claim.run !== null && claim.run.step !== 'over';
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
