import {type Failure, type FinishJob, RunFailure} from '@symphony-supervisor/protocol';
import {lookAt} from '../workspace/contain.ts';
import {layOutRecorded, reasonOf} from '../workspace/layout.ts';
import {lockWorkspace} from '../workspace/lock.ts';
import {runIssueHook} from './hooks.ts';
import {endLeftovers, type JobResources} from './job-resources.ts';

/** Runs the last hook of a run whose runner died before it. */
export async function finish(job: FinishJob, resources: JobResources): Promise<Failure | null> {
  try {
    const layout = await layOutRecorded(job.workspace_path);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    if ((await lookAt(layout)) === 'nothing') return null;
    await using _leftovers = endLeftovers(resources);
    await runIssueHook('after_run', job, resources, layout, {
      cutOff: resources.stop.afterRunCutOff(),
      outcome: job.outcome,
    });
    return null;
  } catch (error) {
    return error instanceof RunFailure
      ? error.failure
      : {code: 'workspace_error', message: reasonOf(error)};
  }
}
