import type {Workflow} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import type {FoundWorkspace} from '../../../packages/orchestrator/src/core/tracker/sweep.ts';
import type {
  AskTracker,
  RecordedWorkspace,
} from '../../../packages/orchestrator/src/shell/upkeep/find-workspaces.ts';
import type {World} from '../world.ts';

/** As the real search, on a disk that is a map: every folder's owner is written down there. */
export async function findSimulatedWorkspaces(
  {disk}: World,
  {settings}: Workflow,
  recorded: readonly RecordedWorkspace[],
  ask: AskTracker,
): Promise<Answer<readonly FoundWorkspace[]>> {
  const byPath = new Map(recorded.map(({path, issueId}) => [path, issueId]));
  for (const [path, {issueId}] of disk) {
    if (path.startsWith(`${settings.workspace.root}/`)) byPath.set(path, issueId);
  }
  const known = await ask.issuesByIds([...new Set(byPath.values())]);
  if (!known.ok) return known;
  const issues = new Map(known.value.map((issue) => [issue.id, issue]));
  const value = [...byPath].flatMap(([path, id]) => {
    const issue = issues.get(id);
    return issue === undefined ? [] : [{issue, path}];
  });
  return {ok: true, value, warnings: []};
}
