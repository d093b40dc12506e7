import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {
  type AttemptJob,
  type CleanJob,
  type CleanWorkspace,
  type CodexJob,
  type FinishJob,
  PROTOCOL_VERSION,
  type ProbeJob,
} from '@symphony-supervisor/protocol';
import {anIssue} from './issue.ts';

/** Jobs with every field filled in; a test names the ones that it is about. Everything lies in `folder`. */
type Fields<Job> = Partial<Omit<Job, 'codex' | 'hooks'>> & {
  codex?: Partial<CodexJob>;
  hooks?: Partial<AttemptJob['hooks']>;
};

export function anAttempt(folder: string, fields: Fields<AttemptJob> = {}): AttemptJob {
  return {
    ...workspaceJob(folder),
    kind: 'attempt',
    prompt: {template: 'Work on {{issue.identifier}}.', engine: null},
    retry: null,
    last_error: null,
    messages: [],
    thread: null,
    max_turns: 1,
    max_idle_turns: 0,
    agent_env: [],
    tools: [],
    ...fields,
    codex: codex(fields.codex),
    hooks: hooks(fields.hooks),
  };
}

export function aCleaning(folder: string, fields: Fields<CleanJob> = {}): CleanJob {
  return {
    ...common(folder),
    kind: 'clean',
    workspaces: [aWorkspace(folder)],
    ...fields,
    hooks: hooks(fields.hooks),
  };
}

/** What a cleaning has to remove, whatever it holds. */
export function aWorkspace(folder: string, issue = anIssue()): CleanWorkspace {
  return {issue, workspace_path: join(folder, 'ws', issue.identifier), keep_work: false};
}

export function aFinishing(folder: string, fields: Fields<FinishJob> = {}): FinishJob {
  return {
    ...workspaceJob(folder),
    kind: 'finish',
    workspace_path: join(folder, 'ws', 'ABC-1'),
    outcome: 'failed',
    ...fields,
    hooks: hooks(fields.hooks),
  };
}

export function aProbe(folder: string, fields: Fields<ProbeJob> = {}): ProbeJob {
  return {
    ...common(folder),
    kind: 'probe',
    agent_env: [],
    ...fields,
    codex: codex(fields.codex),
  };
}

function workspaceJob(folder: string): Omit<FinishJob, 'kind' | 'workspace_path' | 'outcome'> {
  return {
    ...common(folder),
    issue: anIssue(),
    workspace_root: join(folder, 'ws'),
    hooks: hooks(),
    attempt: null,
  };
}

function common(folder: string): Omit<ProbeJob, 'kind' | 'agent_env' | 'codex'> {
  const runId = randomUUID();
  return {
    protocol: PROTOCOL_VERSION,
    run_id: runId,
    transcript_path: join(folder, 'runs', `${runId}.jsonl`),
    transcript_max_bytes: 64 * 1024 * 1024,
    secret_names: [],
    shell: 'plain',
  };
}

function hooks(fields: Partial<AttemptJob['hooks']> = {}): AttemptJob['hooks'] {
  return {
    after_create: null,
    before_run: null,
    after_run: null,
    before_remove: null,
    timeout_ms: 60_000,
    ...fields,
  };
}

function codex(fields: Partial<CodexJob> = {}): CodexJob {
  return {
    command: 'false',
    model: null,
    effort: null,
    approval_policy: 'never',
    thread_sandbox: 'workspace-write',
    turn_sandbox_policy: null,
    turn_timeout_ms: 60_000,
    // A loaded machine may take its time to start a process; no test is about that.
    read_timeout_ms: 30_000,
    ...fields,
  };
}
