import {basename} from 'node:path';
import {type Issue, type Workflow, workspaceKey} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import type {Workspace} from '../../core/claim.ts';
import type {FoundWorkspace} from '../../core/tracker/sweep.ts';
import type {Host} from '../host/host.ts';

/** What the sweep asks a tracker. */
export interface AskTracker {
  issuesByIds(ids: readonly string[]): Promise<Answer<readonly Issue[]>>;
  issuesByIdentifiers(identifiers: readonly string[]): Promise<Answer<readonly Issue[]>>;
}

/** A workspace, and the id of its issue. */
export interface OwnedWorkspace extends Workspace {
  readonly issueId: string;
}

/**
 * The issues of the workspaces that are recorded or exist in the root. The tracker is asked only about those:
 * by id if the supervisor or the runner recorded it, else by the name of the folder, which is the identifier
 * of an issue unless it had to be encoded.
 */
export async function findWorkspaces(
  host: Pick<Host, 'name' | 'workspacesIn'>,
  {settings}: Workflow,
  recorded: readonly OwnedWorkspace[],
  ask: AskTracker,
): Promise<Answer<readonly FoundWorkspace[]>> {
  // Two issues can have had the same folder: the most recently recorded one owns it.
  const owned = new Map(recorded.map((workspace) => [placeOf(workspace), workspace]));
  const unowned: Workspace[] = [];
  for (const {path, issueId} of await host.workspacesIn(settings.workspace.root)) {
    const workspace = {host: host.name, path};
    if (owned.has(placeOf(workspace))) continue;
    if (issueId === null) unowned.push(workspace);
    else owned.set(placeOf(workspace), {...workspace, issueId});
  }
  const ids = new Set([...owned.values()].map(({issueId}) => issueId));
  const known = await ask.issuesByIds([...ids]);
  if (!known.ok) return known;
  const named = await askByName(unowned, ask);
  if (!named.ok) return named;
  const issues = new Map(known.value.map((issue) => [issue.id, issue]));
  const found = [...owned.values()].flatMap(({issueId, ...workspace}) => {
    const issue = issues.get(issueId);
    return issue === undefined ? [] : [{issue, ...workspace}];
  });
  return answered([...found, ...named.value]);
}

function placeOf({host, path}: Workspace): string {
  return `${host}:${path}`;
}

async function askByName(
  workspaces: readonly Workspace[],
  ask: AskTracker,
): Promise<Answer<readonly FoundWorkspace[]>> {
  if (workspaces.length === 0) return answered([]);
  const read = await ask.issuesByIdentifiers(workspaces.map(({path}) => basename(path)));
  // A provider without reads by identifier: these folders are never touched.
  if (!read.ok) return read.failure.code === 'invalid_tracker_config' ? answered([]) : read;
  const byKey = new Map(read.value.map((issue) => [workspaceKey(issue.identifier), issue]));
  return answered(
    workspaces.flatMap((workspace) => {
      const issue = byKey.get(basename(workspace.path));
      return issue === undefined ? [] : [{issue, ...workspace}];
    }),
  );
}

function answered<T>(value: T): Answer<T> {
  return {ok: true, value, warnings: []};
}
