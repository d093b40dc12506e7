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
import {Ledger} from './ledger.ts';
import {outputFile, readLinks} from './output-file.ts';
import {endLeftovers, privateTmp, type Room, reportStuck} from './room.ts';

/** One attempt at one issue, in the order of execution. */
export async function runAttempt(job: AttemptJob, room: Room): Promise<RunResult> {
  const ledger = new Ledger(room.stop);
  const agent = await agentOf(job.agent);
  const progress = new ProgressKeeper(room.mask, room.link, agent.isMeasured(job.agent));
  try {
    room.link.enter('preparing_workspace');
    const layout = await layOut(job.workspace_root, job.issue.identifier);
    await using _lock = await lockWorkspace(layout.lock, job.run_id);
    await using tmp = await privateTmp(layout, job.run_id, reportStuck(room));
    await using results = await outputFile(layout, job.run_id);
    await using _leftovers = endLeftovers(room);
    const output = results.path;
    const fill = async (): Promise<void> => {
      await runIssueHook('after_create', job, room, layout, {output, cutOff: room.stop.signal});
      await noteStart(layout, tmp.path, room);
    };
    const {created} = await prepareWorkspace(layout, job.issue, fill, reportStuck(room));
    room.link.report({type: 'workspace', path: layout.path, created});
    try {
      await runIssueHook('before_run', job, room, layout, {output, cutOff: room.stop.signal});
      await work(job, room, {agent, layout, tmpDir: tmp.path, ledger, progress});
    } catch (error) {
      ledger.failed(error);
    }
    await finish(job, room, layout, ledger, output);
    if (ledger.outcome === 'succeeded') {
      const undelivered = await deliver(job, room, layout, {scratch: tmp.path, output});
      if (undelivered !== null) ledger.undelivered(undelivered);
    }
    ledger.links = await readLinks(output);
  } catch (error) {
    ledger.failed(error);
  }
  return ledger.result(progress.measured);
}

/** Without it the workspace is kept when its issue is terminal; that is no reason to fail the run. */
async function noteStart(layout: Layout, scratch: string, room: Room): Promise<void> {
  await recordStart(layout, scratch, room.environment).catch((error: unknown) => {
    const message = `the initial state of the workspace could not be recorded: ${reasonOf(error)}`;
    room.link.report({type: 'note', message});
  });
}

/** The conversation, with an inspection of the workspace before and after it. */
async function work(
  job: AttemptJob,
  room: Room,
  context: Omit<ConversationContext, 'evidence'>,
): Promise<void> {
  const {agent, layout, tmpDir, ledger} = context;
  await assertContained(layout);
  const evidence = new EvidenceTaker(layout, tmpDir, room.environment, job.issue);
  const sweepLitter = await litterSweep(layout, agent.litter);
  const base = await baseOf(layout);
  await room.stop.orStopped(evidence.begin());
  try {
    await converse(job, room, {...context, evidence});
  } catch (error) {
    ledger.failed(error);
  }
  await sweepLitter();
  // Also for a stopped run: its work exists as well.
  const made = madeSince(base, layout, tmpDir, room.environment);
  ledger.made = await Promise.race([made, laterNothing(room.stop.stepLimit(MADE_LIMIT_MS))]);
  ledger.evidence = await room.stop.orStopped(evidence.end());
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
  room: Room,
  layout: Layout,
  ledger: Ledger,
  output: string,
): Promise<void> {
  ledger.settle();
  room.link.enter(room.stop.reason === null ? 'finishing' : 'stopping');
  await runIssueHook('after_run', job, room, layout, {
    cutOff: room.stop.afterRunCutOff(),
    outcome: ledger.outcome,
    output,
  }).catch((error: unknown) => {
    room.link.report({type: 'note', message: reasonOf(error)}); // the outcome is settled
  });
}
