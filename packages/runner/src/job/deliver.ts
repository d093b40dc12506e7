import {
  type DeliverJob,
  type Failure,
  type ResultLink,
  RunFailure,
} from '@symphony-supervisor/protocol';
import {lookAt} from '../workspace/contain.ts';
import {needsDelivery, noteDelivered, noteFailedDelivery} from '../workspace/delivered.ts';
import {type Layout, layOutRecorded, reasonOf} from '../workspace/layout.ts';
import {lockWorkspace} from '../workspace/lock.ts';
import {assertOwner, readRecord} from '../workspace/record.ts';
import {type HookJob, runIssueHook} from './hooks.ts';
import {endLeftovers, type JobResources, privateTmp, reportStuck} from './job-resources.ts';
import {outputFile, readLinks} from './output-file.ts';

interface DeliveryFiles {
  /** Temporary files of the inspection of a workspace. */
  readonly scratch: string;
  /** The file in which the hook reports results. */
  readonly output: string;
}

/**
 * Runs `deliver` if anything has changed since its last success. Returns the failure; null: everything is
 * delivered. A stop does not abort it, because what follows the run waits for it; a shutdown does, and then it
 * runs again at the next start.
 */
export async function deliver(
  job: HookJob,
  resources: JobResources,
  layout: Layout,
  {scratch, output}: DeliveryFiles,
): Promise<Failure | null> {
  if (job.hooks.deliver === null) return null;
  if (!(await needsDelivery(layout, scratch, resources.environment))) return null;
  try {
    await runIssueHook('deliver', job, resources, layout, {
      cutOff: resources.stop.afterRunCutOff(),
      output,
    });
    await noteDelivered(layout, scratch, resources.environment);
    return null;
  } catch (error) {
    await noteFailedDelivery(layout).catch(() => {}); // the reported failure is the hook's
    return {code: 'delivery_failed', message: reasonOf(error)};
  }
}

interface Delivery {
  readonly failure: Failure | null;
  readonly links: ResultLink[];
}

/** The delivery alone, of a recorded workspace. */
export async function deliverAgain(job: DeliverJob, resources: JobResources): Promise<Delivery> {
  try {
    const layout = await layOutRecorded(job.workspace_path);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    if ((await lookAt(layout)) === 'nothing') throw new Error(`${layout.path} is gone`);
    const record = await readRecord(layout);
    if (record !== null) assertOwner(layout, record, job.issue.identifier);
    await using tmp = await privateTmp(layout, job.run_id, reportStuck(resources));
    await using results = await outputFile(layout, job.run_id);
    await using _leftovers = endLeftovers(resources);
    const files = {scratch: tmp.path, output: results.path};
    const failure = await deliver(job, resources, layout, files);
    return {failure, links: await readLinks(results.path)};
  } catch (error) {
    return {failure: failureOf(error), links: []};
  }
}

/** A workspace in use by another process is not a failed delivery. */
function failureOf(error: unknown): Failure {
  const isBusy = error instanceof RunFailure && error.failure.code === 'workspace_busy';
  return isBusy ? error.failure : {code: 'delivery_failed', message: reasonOf(error)};
}
