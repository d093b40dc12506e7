import type {TrackerBudget} from '@symphony-supervisor/protocol';
import {claimKey} from '../core/claim.ts';
import {blockOf} from '../core/dispatch/dispatch-block.ts';
import {Slots} from '../core/dispatch/slots.ts';
import type {Project, State} from '../core/state.ts';
import type {Instruments} from './instruments.ts';

const CLAIM_STATES = ['running', 'stopping', 'retrying', 'held', 'dismissed'] as const;

/** Gauges, computed from the state at scrape time, so that nothing has to be kept in step. */
export function readLevels(to: Instruments, state: State, at: number): void {
  for (const level of [to.claims, to.held, to.waiting, to.slotsUsed, to.slotsLimit]) level.reset();
  for (const level of [to.blocked, to.budgetLeft, to.budgetLimit, to.requests]) level.reset();
  const slots = new Slots(state.claims, state.maxAgents, at);
  for (const project of state.projects.values()) readProject(to, state, project, slots, at);
  for (const claim of state.claims.values()) {
    to.claims.inc({project: claim.project, state: claim.is});
    if (claim.is === 'held') to.held.inc({project: claim.project, reason: claim.because.code});
  }
  to.storeIsWritable.set(state.storeIsWritable ? 1 : 0);
}

function readProject(to: Instruments, state: State, of: Project, slots: Slots, at: number): void {
  const {name: project, candidates, workflow, budget} = of;
  // Gauges at zero are exported, too: graphs and alerts need the series.
  for (const is of CLAIM_STATES) to.claims.inc({project, state: is}, 0);
  const isFree = ({id}: {id: string}) => !state.claims.has(claimKey(project, id));
  to.waiting.set({project}, candidates.filter(isFree).length);
  to.slotsUsed.set({project}, slots.used(project));
  to.slotsLimit.set({project}, workflow.settings.agent.maxConcurrentAgents);
  to.blocked.set({project}, blockOf(state, of, at) === null ? 0 : 1);
  if (budget !== null) readBudget(to, project, budget);
}

function readBudget(to: Instruments, project: string, budget: TrackerBudget): void {
  for (const [result, times] of Object.entries(budget.made)) {
    to.requests.inc({project, result}, times);
  }
  for (const name of ['requests', 'complexity'] as const) {
    const bucket = budget[name];
    if (bucket === null) continue;
    to.budgetLeft.set({project, budget: name}, bucket.remaining);
    to.budgetLimit.set({project, budget: name}, bucket.limit);
  }
}
