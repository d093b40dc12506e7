import type {AttemptJob, RunResult} from '@symphony-supervisor/protocol';
import {agentOf} from '../agent/kinds.ts';
import {ProgressKeeper} from '../agent/progress.ts';
import {type ConversationContext, converse} from '../conversation/conversation.ts';
import {assertContained} from '../workspace/contain.ts';
import {type Layout, layOut, reasonOf} from '../workspace/layout.ts';
import {litterSweep} from '../workspace/litter.ts';
import {lockWorkspace} from '../workspace/lock.ts';
import {baseOf, madeSince} from '../workspace/made.ts';
import {prepareWorkspace} from '../workspace/prepare.ts';
import {recordStart} from '../workspace/start.ts';
import {deliver} from './deliver.ts';
import {EvidenceTaker} from './evidence.ts';
import {runIssueHook} from './hooks.ts';
import {endLeftovers, type JobResources, privateTmp, reportStuck} from './job-resources.ts';
import {Ledger} from './ledger.ts';
import {outputFile, readLinks} from './output-file.ts';

/** One attempt at one issue, in the order of execution. */
export async function runAttempt(job: AttemptJob, resources: JobResources): Promise<RunResult> {
  const ledger = new Ledger(resources.stop);
  const agent = await agentOf(job.agent);
  const progress = new ProgressKeeper(resources.mask, resources.link, agent.isMeasured(job.agent));
  try {
    resources.link.enter('preparing_workspace');
    const layout = await layOut(job.workspace_root, job.issue.identifier);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    await using tmp = await privateTmp(layout, job.run_id, reportStuck(resources));
    await using results = await outputFile(layout, job.run_id);
    await using _leftovers = endLeftovers(resources);
    const output = results.path;
    const fill = async (): Promise<void> => {
      await runIssueHook('after_create', job, resources, layout, {
        output,
        cutOff: resources.stop.signal,
      });
      await noteStart(layout, tmp.path, resources);
    };
    const {created} = await prepareWorkspace(layout, job.issue, fill, reportStuck(resources));
    resources.link.report({type: 'workspace', path: layout.path, created});
    try {
      await runIssueHook('before_run', job, resources, layout, {
        output,
        cutOff: resources.stop.signal,
      });
      await work(job, resources, {agent, layout, tmpDir: tmp.path, ledger, progress});
    } catch (error) {
      ledger.failed(error);
    }
    await finish(job, resources, layout, ledger, output);
    if (ledger.outcome === 'succeeded') {
      const undelivered = await deliver(job, resources, layout, {scratch: tmp.path, output});
      if (undelivered !== null) ledger.undelivered(undelivered);
    }
    ledger.links = await readLinks(output);
  } catch (error) {
    ledger.failed(error);
  }
  return ledger.result(progress.measured);
}

/** Without it the workspace is kept when its issue is terminal; that is no reason to fail the run. */
async function noteStart(layout: Layout, scratch: string, resources: JobResources): Promise<void> {
  await recordStart(layout, scratch, resources.environment).catch((error: unknown) => {
    const message = `the initial state of the workspace could not be recorded: ${reasonOf(error)}`;
    resources.link.report({type: 'note', message});
  });
}

/** The conversation, with an inspection of the workspace before and after it. */
async function work(
  job: AttemptJob,
  resources: JobResources,
  context: Omit<ConversationContext, 'evidence'>,
): Promise<void> {
  const {agent, layout, tmpDir, ledger} = context;
  await assertContained(layout);
  const evidence = new EvidenceTaker(layout, tmpDir, resources.environment, job.issue);
  const sweepLitter = await litterSweep(layout, agent.litter);
  const base = await baseOf(layout);
  await resources.stop.orStopped(evidence.begin());
  try {
    await converse(job, resources, {...context, evidence});
  } catch (error) {
    ledger.failed(error);
  }
  await sweepLitter();
  // Also for a stopped run: its work exists as well.
  const made = madeSince(base, layout, tmpDir, resources.environment);
  ledger.made = await Promise.race([made, laterNothing(resources.stop.stepLimit(MADE_LIMIT_MS))]);
  ledger.evidence = await resources.stop.orStopped(evidence.end());
}

/** For display only: a slow disk must not delay the end of a run. */
const MADE_LIMIT_MS = 20_000;

function laterNothing(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, null).unref();
  });
}

/** Whatever the outcome, the last hook gets it. */
async function finish(
  job: AttemptJob,
  resources: JobResources,
  layout: Layout,
  ledger: Ledger,
  output: string,
): Promise<void> {
  ledger.settle();
  resources.link.enter(resources.stop.reason === null ? 'finishing' : 'stopping');
  await runIssueHook('after_run', job, resources, layout, {
    cutOff: resources.stop.afterRunCutOff(),
    outcome: ledger.outcome,
    output,
  }).catch((error: unknown) => {
    resources.link.report({type: 'note', message: reasonOf(error)}); // the outcome is settled
  });
}
