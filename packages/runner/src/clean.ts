import {
  type CleanJob,
  type CleanWorkspace,
  type Failure,
  RunFailure,
} from '@symphony-supervisor/protocol';
import {runIssueHook} from './hooks.ts';
import {endLeftovers, type Room, reportStuck} from './room.ts';
import {lookAt} from './workspace/contain.ts';
import {layOutRecorded, reasonOf} from './workspace/layout.ts';
import {lockWorkspace} from './workspace/lock.ts';
import {assertOwner, readRecord} from './workspace/record.ts';
import {removeWorkspace} from './workspace/remove.ts';

/** When nobody waits for the answer any more, what is begun is brought to its end and no more is begun. */
const NOT_BEGUN: Failure = {
  code: 'workspace_error',
  message: 'the cleaning was stopped before it came to this workspace',
};

/** Removes the workspaces that runs recorded, each on its own: none is kept by the failure of another. */
export async function clean(job: CleanJob, room: Room): Promise<(Failure | null)[]> {
  const failures: (Failure | null)[] = [];
  for (const workspace of job.workspaces) {
    const isStopped = room.stop.reason !== null;
    failures.push(isStopped ? NOT_BEGUN : await cleanOne(job, workspace, room));
  }
  return failures;
}

/** One that is gone already is a success. */
async function cleanOne(
  job: CleanJob,
  {issue, workspace_path}: CleanWorkspace,
  room: Room,
): Promise<Failure | null> {
  const {identifier: issue_identifier} = issue;
  room.transcript.event('cleaning', {issue_identifier, workspace_path});
  try {
    const layout = await layOutRecorded(workspace_path);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    const record = await readRecord(layout);
    if (record !== null) assertOwner(layout, record, issue.identifier);
    if ((await lookAt(layout)) === 'folder') {
      await using _leftovers = endLeftovers(room);
      const hookJob = {...job, issue, attempt: null};
      await runIssueHook('before_remove', hookJob, room, layout).catch((error: unknown) => {
        room.link.report({type: 'note', message: reasonOf(error)}); // it is removed all the same
      });
    }
    await removeWorkspace(layout, reportStuck(room));
    return null;
  } catch (error) {
    return error instanceof RunFailure
      ? error.failure
      : {code: 'workspace_error', message: reasonOf(error)};
  }
}
