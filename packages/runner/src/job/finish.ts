import {type Failure, type FinishJob, RunFailure} from '@symphony-supervisor/protocol';
import {lookAt} from '../workspace/contain.ts';
import {layOutRecorded, reasonOf} from '../workspace/layout.ts';
import {lockWorkspace} from '../workspace/lock.ts';
import {runIssueHook} from './hooks.ts';
import {endLeftovers, type Room} from './room.ts';

/** Runs the last hook of a run whose runner died before it. */
export async function finish(job: FinishJob, room: Room): Promise<Failure | null> {
  try {
    const layout = await layOutRecorded(job.workspace_path);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    if ((await lookAt(layout)) === 'nothing') return null;
    await using _leftovers = endLeftovers(room);
    await runIssueHook('after_run', job, room, layout, {
      cutOff: room.stop.afterRunCutOff(),
      outcome: job.outcome,
    });
    return null;
  } catch (error) {
    return error instanceof RunFailure
      ? error.failure
      : {code: 'workspace_error', message: reasonOf(error)};
  }
}
