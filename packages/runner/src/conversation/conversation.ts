import {
  type AttemptJob,
  type Issue,
  SUBMIT_WORK,
  type ThreadRecord,
  type ToolResult,
} from '@symphony-supervisor/protocol';
import {withOperatorMessages} from '@symphony-supervisor/protocol/prompt';
import type {Agent, AgentSession} from '../agent/agent.ts';
import type {ProgressKeeper} from '../agent/progress.ts';
import {Unanswered} from '../host/link.ts';
import {agentEnvironment, gitCeiling, symphonyVariables} from '../job/environment.ts';
import type {EvidenceTaker} from '../job/evidence.ts';
import type {JobResources} from '../job/job-resources.ts';
import type {Ledger} from '../job/ledger.ts';
import {findGit} from '../workspace/git/git-places.ts';
import {type Layout, reasonOf} from '../workspace/layout.ts';
import {firstMessage, laterMessage} from './first-message.ts';
import {framedTurn} from './framed-turn.ts';
import {IdleTurns} from './idle-turns.ts';
import {newMessages, rememberGiven} from './messages.ts';
import {meteredTurn} from './metered-turn.ts';
import {HOST_LIMIT_MS, refreshIssue} from './refresh-issue.ts';
import {SubmissionKeeper} from './submission.ts';
import {resumable, ThreadKeeper} from './thread-record.ts';

/** The part of an attempt that its conversation works on. */
export interface ConversationContext {
  readonly agent: Agent;
  readonly layout: Layout;
  readonly tmpDir: string;
  readonly evidence: EvidenceTaker;
  readonly ledger: Ledger;
  readonly progress: ProgressKeeper;
}

/** From the prompt to the last turn. When this returns, the agent and all its processes have ended. */
export async function converse(
  job: AttemptJob,
  resources: JobResources,
  context: ConversationContext,
): Promise<void> {
  const {link, stop} = resources;
  const {layout, ledger, progress} = context;
  link.enter('building_prompt');
  const recorded = resumable(job, layout.path, resources.transcript);
  const prepared = await firstMessage(job, layout.path, recorded);

  link.enter('launching_agent_process');
  stop.signal.throwIfAborted();
  const submission = new SubmissionKeeper(resources.transcript);
  await using session = await launch(job, resources, context, submission);

  link.enter('initializing_session');
  const {resumed} = await stop.orStopped(open(session, recorded, progress));
  if (resumed) {
    const text = 'the earlier conversation is resumed';
    resources.transcript.line({ev: 'notice', level: 'info', text});
  }
  // An agent that refused to resume the old conversation does not know its task.
  const task = resumed || recorded === null ? prepared : await firstMessage(job, layout.path, null);
  const text = withOperatorMessages(
    task,
    await newMessages(layout, session.threadId, job.messages),
  );
  const {threadId} = session;
  const thread = new ThreadKeeper(
    job,
    resources.link,
    context,
    threadId,
    resumed ? recorded : null,
  );
  thread.report(resumed);

  await takeTurns(job, resources, context, session, text, thread, submission);
  ledger.settle();
}

async function takeTurns(
  job: AttemptJob,
  {link, stop, transcript}: JobResources,
  {evidence, ledger, layout, progress}: ConversationContext,
  session: AgentSession,
  firstText: string,
  thread: ThreadKeeper,
  submission: SubmissionKeeper,
): Promise<void> {
  const idle = new IdleTurns(job);
  let text = firstText;
  for (let turn = 1; ; turn++) {
    link.enter('streaming_turn');
    ledger.turns = turn;
    const onStarted = (turnId: string) => {
      // Immediately: from now on the conversation can be resumed, whatever happens to this run.
      thread.turnStarted();
      const message_ids = turn === 1 ? job.messages.map(({id}) => id) : [];
      void rememberGiven(layout, session.threadId, message_ids).catch((error: unknown) => {
        const message = `the sent messages could not be recorded: ${reasonOf(error)}`;
        link.report({type: 'note', message});
      });
      const session_id = `${session.threadId}-${turnId}`;
      link.report({type: 'turn_started', turn, session_id, message_ids});
    };
    const take = () => meteredTurn(progress, () => session.takeTurn(text, onStarted));
    const taken = framedTurn(transcript, turn, text, take);
    const verdict = await stop.orStopped(taken);
    thread.report(true);
    if (verdict !== null) throw verdict;
    if (submission.isSubmitted || turn >= job.max_turns) {
      evidence.issueRead(await stop.orStopped(lastLook(link)));
      return;
    }
    const {issue, go_on} = await stop.orStopped(refreshIssue(link, stop.signal));
    evidence.issueRead(issue);
    if (!go_on) return;
    if (idle.note(await stop.orStopped(evidence.turnEnded()))) return;
    text = laterMessage(job, issue ?? job.issue, turn + 1);
  }
}

async function launch(
  job: AttemptJob,
  resources: JobResources,
  context: ConversationContext,
  submission: SubmissionKeeper,
): Promise<AgentSession> {
  const {agent, layout, tmpDir, evidence, progress} = context;
  const variables = {
    ...symphonyVariables(job.run_id, job.issue, layout.path, job.attempt),
    ...gitCeiling(resources.environment, layout.root),
  };
  const {writable} = await findGit(layout);
  return agent.open(job.agent, {
    job,
    cwd: layout.path,
    env: agentEnvironment(resources.environment, job, variables, tmpDir, agent.environmentPrefixes),
    gitDirs: writable,
    processes: resources.processes,
    transcript: resources.transcript,
    stop: resources.stop,
    progress,
    callTool: async (name, args) =>
      name === SUBMIT_WORK.name ? submission.take(args) : callTool(resources, evidence, name, args),
    onProcess: (pid) => resources.link.report({type: 'agent_started', pid}),
    onNote: (message) => resources.link.report({type: 'note', message}),
  });
}

async function open(
  session: AgentSession,
  recorded: ThreadRecord | null,
  progress: ProgressKeeper,
): Promise<{resumed: boolean}> {
  try {
    return await session.start(recorded);
  } catch (error) {
    progress.note('startup_failed', reasonOf(error));
    throw error;
  }
}

/** After the last turn only the evidence depends on it: without an answer it is unknown. */
async function lastLook(link: JobResources['link']): Promise<Issue | null> {
  try {
    return (await link.readIssue(HOST_LIMIT_MS)).issue;
  } catch {
    return null;
  }
}

/** A call without an answer is a failed result: the agent reads it, and its turn continues. */
async function callTool(
  {link, transcript}: JobResources,
  evidence: EvidenceTaker,
  name: string,
  args: unknown,
): Promise<ToolResult> {
  try {
    const result = await link.callTool(name, args, HOST_LIMIT_MS);
    if (result.wrote) evidence.toolWrote();
    return result;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    transcript.event('tool_unanswered', {tool: name, reason: error.message});
    return {success: false, content: {error: error.message}, wrote: false};
  }
}
