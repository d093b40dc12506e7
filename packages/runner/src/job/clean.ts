import {
  type CleanJob,
  type CleanOutcome,
  type CleanWorkspace,
  type Failure,
  RunFailure,
} from '@symphony-supervisor/protocol';
import {lookAt} from '../workspace/contain.ts';
import {type Layout, layOutRecorded, reasonOf} from '../workspace/layout.ts';
import {lockWorkspace} from '../workspace/lock.ts';
import {isHalfMade} from '../workspace/prepare.ts';
import {assertOwner, readRecord} from '../workspace/record.ts';
import {removeWorkspace} from '../workspace/remove.ts';
import {workIn} from '../workspace/work.ts';
import {runIssueHook} from './hooks.ts';
import {endLeftovers, type JobResources, privateTmp, reportStuck} from './job-resources.ts';

/** When the supervisor is gone, the current workspace is finished and no further one is started. */
const NOT_BEGUN: Failure = {
  code: 'workspace_error',
  message: 'the cleaning was stopped before this workspace',
};

/** Removes the recorded workspaces, each independently: the failure of one does not affect another. */
export async function clean(job: CleanJob, resources: JobResources): Promise<CleanOutcome[]> {
  const outcomes: CleanOutcome[] = [];
  for (const workspace of job.workspaces) {
    const isStopped = resources.stop.reason !== null;
    const failure = isStopped ? NOT_BEGUN : null;
    outcomes.push(failure === null ? await cleanOne(job, workspace, resources) : failed(failure));
  }
  return outcomes;
}

/** A workspace that no longer exists is a success. */
async function cleanOne(
  job: CleanJob,
  {issue, workspace_path, keep_work}: CleanWorkspace,
  resources: JobResources,
): Promise<CleanOutcome> {
  const {identifier: issue_identifier} = issue;
  resources.transcript.event('cleaning', {issue_identifier, workspace_path});
  try {
    const layout = await layOutRecorded(workspace_path);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    const record = await readRecord(layout);
    if (record !== null) assertOwner(layout, record, issue.identifier);
    if ((await lookAt(layout)) === 'folder') {
      await using _leftovers = endLeftovers(resources);
      const work = keep_work ? await workLeft(job, layout, resources) : null;
      // An aborted inspection has no result.
      if (work !== null && resources.stop.reason !== null) return failed(NOT_BEGUN);
      if (work !== null) return {is: 'kept', reason: work};
      const hookJob = {...job, issue, attempt: null};
      await runIssueHook('before_remove', hookJob, resources, layout).catch((error: unknown) => {
        resources.link.report({type: 'note', message: reasonOf(error)}); // it is still removed
      });
    }
    await removeWorkspace(layout, reportStuck(resources));
    return {is: 'removed'};
  } catch (error) {
    return failed(
      error instanceof RunFailure
        ? error.failure
        : {code: 'workspace_error', message: reasonOf(error)},
    );
  }
}

/** No agent has run in an unfinished workspace. */
async function workLeft(
  job: CleanJob,
  layout: Layout,
  resources: JobResources,
): Promise<string | null> {
  if (await isHalfMade(layout)) return null;
  await using tmp = await privateTmp(layout, job.run_id, reportStuck(resources));
  return await workIn(layout, {job, resources, scratch: tmp.path});
}

function failed(failure: Failure): CleanOutcome {
  return {is: 'failed', failure};
}
