import type {Issue} from '@symphony-supervisor/protocol';
import {claimKey, isSameWorkspace, type Workspace} from '../claim.ts';
import {standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {Event} from '../event.ts';
import {cleanUnclaimed} from '../life/clean.ts';
import type {Project} from '../state.ts';
import {reconcile} from './reconcile.ts';

/** A workspace that lies on the disk, and whose issue the tracker knows. */
export interface FoundWorkspace extends Workspace {
  readonly issue: Issue;
}

/** So soon the workspace of an issue that was finished after its handoff is gone. */
const SWEEP_MS = 60 * 60_000;
const RETRY_MS = 60_000;

/** Looks for workspaces whose issues were finished while they had no claim. */
export function onSweepDue(draft: Draft, project: Project): void {
  if (draft.state.isShuttingDown || project.isSweeping) return;
  draft.writeProject(project.name, {isSweeping: true});
  draft.order({do: 'find-workspaces', project: project.name, scope: project.scope});
}

/** Only what the tracker says is over is removed; what it does not know is never touched. */
export function onWorkspacesFound(
  draft: Draft,
  project: Project,
  {answer, askedAt, scope}: Extract<Event, {type: 'workspaces.found'}>,
): void {
  draft.writeProject(project.name, {isSweeping: false});
  // Asked of a tracker that the file no longer names: its ids mean nothing to the new one.
  if (scope !== project.scope) return onSweepDue(draft, draft.loaded(project.name));
  const at = answer.ok ? draft.at + SWEEP_MS : Math.max(draft.at + RETRY_MS, answer.notBefore ?? 0);
  draft.order({do: 'set-timer', timer: `sweep ${project.name}`, at});
  if (!answer.ok) {
    const reason = answer.message;
    draft.order({do: 'log', level: 'warn', event: 'sweep.failed', project: project.name, reason});
    return;
  }
  // What is claimed among them has been read, too, and a read is a read.
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
