import type {Project, State} from '../state.ts';

/** The first tick begins with the project; what it found is dispatched once the agent is known. */
export function hasTicked({poll, agent}: Project): boolean {
  return poll.is === 'waiting' && agent.is !== 'probing';
}

/** Every project has had its first tick, and the runs that it led to have been started. */
export function hasBegun({hasStarted, projects, claims}: State): boolean {
  if (!hasStarted) return false;
  for (const project of projects.values()) if (!hasTicked(project)) return false;
  for (const claim of claims.values()) {
    if (claim.is === 'running' && claim.run.step !== 'live') return false;
  }
  return true;
}
