import type {Issue} from '@symphony-supervisor/protocol';
import type {WaitReason} from '../claim.ts';
import {agentsOf, healthOf, kindOf} from '../life/agent.ts';
import type {AgentHealth, Project, State} from '../state.ts';
import {noSlot, type Slots} from './slots.ts';

const PAUSED = 'dispatch is paused';

/** Why nothing of this project may start now; null if something may. */
export function blockOf(state: State, project: Project, at: number): WaitReason | null {
  const hasAgent = agentsOf(project).some(({agent}) => agent.is === 'ready');
  return obstacleOf(state, project, at) ?? (hasAgent ? null : agentBlockOf(project));
}

/** Why no run of this role may start now; null if it may. */
export function roleBlockOf(
  state: State,
  project: Project,
  role: string,
  at: number,
): WaitReason | null {
  return obstacleOf(state, project, at) ?? agentBlockOf(healthOf(project, kindOf(project, role)));
}

/** Whatever agent it takes. */
function obstacleOf(state: State, project: Project, at: number): WaitReason | null {
  const standstill = standstillOf(state);
  if (standstill !== null) return standstill;
  if (project.problem !== null) return project.problem;
  if (project.isPaused) return PAUSED;
  if (project.shortage !== null) return project.shortage;
  return project.notBefore !== null && project.notBefore > at ? 'the tracker asked to wait' : null;
}

function agentBlockOf({agent}: AgentHealth): WaitReason | null {
  if (agent.is === 'blocked') return agent.why;
  return agent.is === 'ready' ? null : 'the agent is being checked';
}

/** Why an issue that is fit for work does not start now; null if it can. `role`: who would run it. */
export function waitReasonOf(
  state: State,
  project: Project,
  {issue, role}: {readonly issue: Issue; readonly role: string},
  slots: Slots,
  at: number,
): WaitReason | null {
  const block = roleBlockOf(state, project, role, at);
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
