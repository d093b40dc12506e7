import type {Project, State} from '../state.ts';

/** Why nothing of this project may start now; null if it may. */
export function blockOf(state: State, project: Project, at: number): string | null {
  if (state.isShuttingDown) return 'the supervisor is shutting down';
  if (!state.storeIsWritable) return 'the store cannot be written';
  if (project.problem !== null) return project.problem;
  if (project.isPaused) return 'dispatch is paused';
  if (project.shortage !== null) return project.shortage;
  if (project.notBefore !== null && project.notBefore > at) return 'the tracker asked to wait';
  if (project.agent.is === 'blocked') return project.agent.why;
  return project.agent.is === 'ready' ? null : 'the agent is being checked';
}
