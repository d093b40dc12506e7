import {basename} from 'node:path';
import {type Issue, type Workflow, workspaceKey} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import type {FoundWorkspace} from '../../core/tracker/sweep.ts';
import type {Host} from '../host/host.ts';

/** What the sweep asks a tracker. */
export interface AskTracker {
  issuesByIds(ids: readonly string[]): Promise<Answer<readonly Issue[]>>;
  issuesByIdentifiers(identifiers: readonly string[]): Promise<Answer<readonly Issue[]>>;
}

/** A workspace on record, by the id of its issue. */
export interface RecordedWorkspace {
  readonly issueId: string;
  readonly path: string;
}

/**
 * Which issues the workspaces belong to that are on record or lie in the root. The tracker is asked only
 * about those: by id where we or the runner wrote it down, and else by the name of the folder, which is
 * the identifier of an issue unless that had to be spelled differently.
 */
export async function findWorkspaces(
  host: Pick<Host, 'workspacesIn'>,
  {settings}: Workflow,
  recorded: readonly RecordedWorkspace[],
  ask: AskTracker,
): Promise<Answer<readonly FoundWorkspace[]>> {
  const byId = new Map(recorded.map(({path, issueId}) => [path, issueId]));
  const byName: string[] = [];
  for (const {path, issueId} of await host.workspacesIn(settings.workspace.root)) {
    if (byId.has(path)) continue;
    if (issueId === null) byName.push(path);
    else byId.set(path, issueId);
  }
  const known = await ask.issuesByIds([...new Set(byId.values())]);
  if (!known.ok) return known;
  const named = await askByName(byName, ask);
  if (!named.ok) return named;
  const issues = new Map(known.value.map((issue) => [issue.id, issue]));
  const found = [...byId].flatMap(([path, id]) => {
    const issue = issues.get(id);
    return issue === undefined ? [] : [{issue, path}];
  });
  return answered([...found, ...named.value]);
}

async function askByName(
  paths: readonly string[],
  ask: AskTracker,
): Promise<Answer<readonly FoundWorkspace[]>> {
  if (paths.length === 0) return answered([]);
  const read = await ask.issuesByIdentifiers(paths.map((path) => basename(path)));
  // A provider that cannot be asked so: these folders are never touched.
  if (!read.ok) return read.failure.code === 'invalid_tracker_config' ? answered([]) : read;
  const byKey = new Map(read.value.map((issue) => [workspaceKey(issue.identifier), issue]));
  return answered(
    paths.flatMap((path) => {
      const issue = byKey.get(basename(path));
      return issue === undefined ? [] : [{issue, path}];
    }),
  );
}

function answered<T>(value: T): Answer<T> {
  return {ok: true, value, warnings: []};
}
