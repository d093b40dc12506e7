import {type CleanJob, type Failure, RunFailure} from '@symphony-supervisor/protocol';
import {runIssueHook} from './hooks.ts';
import {endLeftovers, type Room} from './room.ts';
import {lookAt} from './workspace/contain.ts';
import {layOutRecorded, reasonOf} from './workspace/layout.ts';
import {lockWorkspace} from './workspace/lock.ts';
import {assertOwner, readRecord} from './workspace/record.ts';
import {removeWorkspace} from './workspace/remove.ts';

/** Removes the workspace that a run recorded. One that is gone already is a success. */
export async function clean(job: CleanJob, room: Room): Promise<Failure | null> {
  try {
    const layout = await layOutRecorded(job.workspace_path);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    const record = await readRecord(layout);
    if (record !== null) assertOwner(layout, record, job.issue.identifier);
    if ((await lookAt(layout)) === 'folder') {
      await using _leftovers = endLeftovers(room);
      await runIssueHook('before_remove', job, room, layout).catch((error: unknown) => {
        room.link.report({type: 'note', message: reasonOf(error)}); // it is removed all the same
      });
    }
    await removeWorkspace(layout);
    return null;
  } catch (error) {
    return error instanceof RunFailure
      ? error.failure
      : {code: 'workspace_error', message: reasonOf(error)};
  }
}
