import type {AgentJob} from './agents/agent-job.ts';
import type {Settings, Workflow} from './settings.ts';
import type {Issue} from './wire/issue.ts';
import type {RunOutcome} from './wire/run.ts';
import {
  type AttemptJob,
  type CleanJob,
  type DeliverJob,
  type FinishJob,
  PROTOCOL_VERSION,
  type ProbeJob,
} from './wire/run-job.ts';
import {SUBMIT_WORK} from './wire/submit-work.ts';
import type {ToolSpec} from './wire/tool.ts';

interface JobDetails {
  readonly runId: string;
  readonly transcriptPath: string;
}

/** What differs from one attempt to the next; the rest is in the workflow. */
export interface AttemptDetails
  extends JobDetails,
    Pick<AttemptJob, 'attempt' | 'retry' | 'last_error' | 'messages' | 'thread'> {
  readonly issue: Issue;
  readonly role: string;
  readonly tools: readonly ToolSpec[];
  readonly transcriptMaxBytes: number;
}

/** What a probe or a hook prints beyond this is of no use to a reader. */
const SMALL_JOB_LOG_BYTES = 1_000_000;

export function makeAttemptJob(workflow: Workflow, details: AttemptDetails): AttemptJob {
  const {settings, prompt} = workflow;
  return {
    ...inWorkspace(settings, details),
    kind: 'attempt',
    transcript_max_bytes: details.transcriptMaxBytes,
    prompt,
    role: details.role,
    phase: null,
    retry: details.retry,
    last_error: details.last_error,
    messages: details.messages,
    thread: details.thread,
    max_turns: settings.agent.maxTurns,
    max_idle_turns: settings.agent.maxIdleTurns,
    agent_env: [...settings.agent.env],
    agent: agentOf(settings),
    tools: [...details.tools, ...(settings.tracker.handoffState === null ? [] : [SUBMIT_WORK])],
  };
}

/** A small job in the workspace that a run recorded. */
export interface WorkspaceDetails extends JobDetails, Pick<AttemptJob, 'attempt'> {
  readonly issue: Issue;
  readonly workspacePath: string;
}

export function makeCleanJob(
  {settings}: Workflow,
  details: JobDetails & Pick<CleanJob, 'workspaces'>,
): CleanJob {
  const {workspaces} = details;
  return {...common(settings, details), kind: 'clean', hooks: hooksOf(settings), workspaces};
}

export function makeFinishJob(
  {settings}: Workflow,
  details: WorkspaceDetails & {readonly outcome: RunOutcome},
): FinishJob {
  const {outcome, workspacePath} = details;
  const job = inWorkspace(settings, details);
  return {...job, kind: 'finish', workspace_path: workspacePath, outcome};
}

export function makeDeliverJob({settings}: Workflow, details: WorkspaceDetails): DeliverJob {
  const job = inWorkspace(settings, details);
  return {...job, kind: 'deliver', workspace_path: details.workspacePath};
}

export function makeProbeJob({settings}: Workflow, details: JobDetails): ProbeJob {
  const agentEnv = [...settings.agent.env];
  return {
    ...common(settings, details),
    kind: 'probe',
    agent_env: agentEnv,
    agent: agentOf(settings),
  };
}

function common(
  settings: Settings,
  {runId, transcriptPath}: JobDetails,
): Omit<ProbeJob, 'kind' | 'agent_env' | 'agent'> {
  return {
    protocol: PROTOCOL_VERSION,
    run_id: runId,
    transcript_path: transcriptPath,
    transcript_max_bytes: SMALL_JOB_LOG_BYTES,
    secret_names: [...settings.tracker.secretNames],
    shell: settings.agent.shell,
  };
}

function inWorkspace(
  settings: Settings,
  details: Pick<WorkspaceDetails, 'runId' | 'issue' | 'transcriptPath' | 'attempt'>,
): Omit<FinishJob, 'kind' | 'workspace_path' | 'outcome'> {
  return {
    ...common(settings, details),
    issue: details.issue,
    workspace_root: settings.workspace.root,
    hooks: hooksOf(settings),
    attempt: details.attempt,
  };
}

function hooksOf({hooks}: Settings): AttemptJob['hooks'] {
  return {
    after_create: hooks.afterCreate,
    before_run: hooks.beforeRun,
    after_run: hooks.afterRun,
    deliver: hooks.deliver,
    before_remove: hooks.beforeRemove,
    timeout_ms: hooks.timeoutMs,
  };
}

function agentOf({agent}: Settings): AgentJob {
  return {
    ...agent.options,
    command: agent.command,
    model: agent.model,
    effort: agent.effort,
    access: agent.access,
    turn_timeout_ms: agent.turnTimeoutMs,
    read_timeout_ms: agent.readTimeoutMs,
  };
}
