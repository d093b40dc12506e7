import type {Issue} from './issue.ts';
import {type AttemptJob, type CodexJob, PROTOCOL_VERSION} from './run-job.ts';
import type {Settings, Workflow} from './settings.ts';
import type {ToolSpec} from './tool.ts';

/** What differs from one attempt to the next; the rest is in the workflow. */
export interface AttemptDetails
  extends Pick<AttemptJob, 'attempt' | 'retry' | 'last_error' | 'operator_message' | 'thread'> {
  readonly runId: string;
  readonly issue: Issue;
  readonly tools: readonly ToolSpec[];
  readonly transcriptPath: string;
}

/** Large enough for days of work, small enough for a disk that holds hundreds. */
const TRANSCRIPT_MAX_BYTES = 256 * 1024 * 1024;

export function makeAttemptJob(workflow: Workflow, details: AttemptDetails): AttemptJob {
  const {settings, prompt} = workflow;
  return {
    kind: 'attempt',
    protocol: PROTOCOL_VERSION,
    run_id: details.runId,
    transcript_path: details.transcriptPath,
    transcript_max_bytes: TRANSCRIPT_MAX_BYTES,
    secret_names: [...settings.tracker.secretNames],
    issue: details.issue,
    workspace_root: settings.workspace.root,
    hooks: hooksOf(settings),
    attempt: details.attempt,
    prompt,
    retry: details.retry,
    last_error: details.last_error,
    operator_message: details.operator_message,
    thread: details.thread,
    max_turns: settings.agent.maxTurns,
    agent_env: [...settings.agent.env],
    codex: codexOf(settings),
    tools: [...details.tools],
  };
}

function hooksOf({hooks}: Settings): AttemptJob['hooks'] {
  return {
    after_create: hooks.afterCreate,
    before_run: hooks.beforeRun,
    after_run: hooks.afterRun,
    before_remove: hooks.beforeRemove,
    timeout_ms: hooks.timeoutMs,
  };
}

function codexOf({codex}: Settings): CodexJob {
  return {
    command: codex.command,
    model: codex.model,
    effort: codex.effort,
    // Parsed from YAML, so it is JSON.
    approval_policy: codex.approvalPolicy as CodexJob['approval_policy'],
    thread_sandbox: codex.threadSandbox,
    turn_sandbox_policy: codex.turnSandboxPolicy as CodexJob['turn_sandbox_policy'],
    turn_timeout_ms: codex.turnTimeoutMs,
    read_timeout_ms: codex.readTimeoutMs,
  };
}
