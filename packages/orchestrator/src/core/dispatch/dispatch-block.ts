import type {Issue} from '@symphony-supervisor/protocol';
import type {WaitReason} from '../claim.ts';
import type {Project, State} from '../state.ts';
import {noSlot, type Slots} from './slots.ts';

const PAUSED = 'dispatch is paused';

/** Why nothing of this project may start now; null if it may. */
export function blockOf(state: State, project: Project, at: number): WaitReason | null {
  const standstill = standstillOf(state);
  if (standstill !== null) return standstill;
  if (project.problem !== null) return project.problem;
  if (project.isPaused) return PAUSED;
  if (project.shortage !== null) return project.shortage;
  if (project.notBefore !== null && project.notBefore > at) return 'the tracker asked to wait';
  if (project.agent.is === 'blocked') return project.agent.why;
  return project.agent.is === 'ready' ? null : 'the agent is being checked';
}

/** Why an issue that is fit for work does not start now; null if it can. */
export function waitReasonOf(
  state: State,
  project: Project,
  issue: Issue,
  slots: Slots,
  at: number,
): WaitReason | null {
  const block = blockOf(state, project, at);
  if (block !== null) return block;
  const lacking = slots.lacking(project, issue.state);
  return lacking === null ? null : noSlot(lacking);
}

/** Why not even a delivery may start: it needs neither an agent nor a tracker. */
export function deliveryBlockOf(state: State, project: Project): WaitReason | null {
  return standstillOf(state) ?? (project.isPaused ? PAUSED : null);
}

function standstillOf({isShuttingDown, storeIsWritable}: State): WaitReason | null {
  if (isShuttingDown) return 'the supervisor is shutting down';
  return storeIsWritable ? null : 'the store cannot be written';
}
