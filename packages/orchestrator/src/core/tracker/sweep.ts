import type {Issue} from '@symphony-supervisor/protocol';
import {claimKey, isSameWorkspace, type Workspace} from '../claim.ts';
import {standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {Event} from '../event.ts';
import {cleanUnclaimed} from '../life/clean.ts';
import type {Project} from '../state.ts';
import {reconcile} from './reconcile.ts';

/** A workspace on disk whose issue the tracker knows. */
export interface FoundWorkspace extends Workspace {
  readonly issue: Issue;
}

/** Within this time the workspace of an issue that was finished after its handoff is removed. */
const SWEEP_MS = 60 * 60_000;
const RETRY_MS = 60_000;

/** Finds workspaces whose issues were finished while they had no claim. */
export function onSweepDue(draft: Draft, project: Project): void {
  if (draft.state.isShuttingDown || project.isSweeping) return;
  draft.writeProject(project.name, {isSweeping: true});
  draft.order({do: 'find-workspaces', project: project.name, scope: project.scope});
}

/** Removes only workspaces of issues that the tracker reports as terminal; unknown ones are never touched. */
export function onWorkspacesFound(
  draft: Draft,
  project: Project,
  {answer, askedAt, scope}: Extract<Event, {type: 'workspaces.found'}>,
): void {
  draft.writeProject(project.name, {isSweeping: false});
  // The file no longer names this tracker: its ids mean nothing in the new one.
  if (scope !== project.scope) return onSweepDue(draft, draft.loaded(project.name));
  const at = answer.ok ? draft.at + SWEEP_MS : Math.max(draft.at + RETRY_MS, answer.notBefore ?? 0);
  draft.order({do: 'set-timer', timer: `sweep ${project.name}`, at});
  if (!answer.ok) {
    const reason = answer.message;
    draft.order({do: 'log', level: 'warn', event: 'sweep.failed', project: project.name, reason});
    return;
  }
  // The read also covers claimed issues, and counts as a read of them.
  const found = answer.value.map(({issue}) => issue);
  const ids = found.map(({id}) => id);
  reconcile(draft, {project: project.name, scope, ids, askedAt, found});
  const {tracker} = project.workflow.settings;
  const over = answer.value.filter(({issue}) => standingOf(issue, tracker) === 'terminal');
  for (const {issue, host, path} of over) {
    const key = claimKey(project.name, issue.id);
    if (draft.state.unreadable.has(key)) continue;
    const known = draft.workspaces(key);
    const isKnown = known.some((workspace) => isSameWorkspace(workspace, {host, path}));
    if (!isKnown) draft.writeWorkspaces(key, [...known, {host, path}]);
    if (!draft.claims.has(key)) cleanUnclaimed(draft, project, issue, askedAt);
  }
}
