import type {Issue, Workflow} from '@symphony-supervisor/protocol';

/** The role that a workflow file describes by itself. */
export const WORKER = 'worker';

/** Who runs an issue. */
export interface RunProfile {
  readonly role: string;
  /** What a run of this role is given: agent, prompt, hooks, limits. */
  readonly workflow: Workflow;
}

/** Chosen when an issue is reserved, by what is known of it then. */
export function profileOf(workflow: Workflow, _issue: Issue): RunProfile {
  return profileNamed(workflow, WORKER);
}

/**
 * The profile of a run that has been reserved. A run whose role the file no longer has goes on as a
 * worker; so far a file has no other role.
 */
export function profileNamed(workflow: Workflow, _role: string): RunProfile {
  return {role: WORKER, workflow};
}
