import type {Issue} from '@symphony-supervisor/protocol';
import type {WaitReason} from '../claim.ts';
import type {Project, State} from '../state.ts';
import {noSlot, type Slots} from './slots.ts';

/** Why nothing of this project may start now; null if it may. */
export function blockOf(state: State, project: Project, at: number): WaitReason | null {
  if (state.isShuttingDown) return 'the supervisor is shutting down';
  if (!state.storeIsWritable) return 'the store cannot be written';
  if (project.problem !== null) return project.problem;
  if (project.isPaused) return 'dispatch is paused';
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
