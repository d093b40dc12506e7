import * as z from 'zod/mini';
import {AgentJob} from '../agents/agent-job.ts';
import {Failure} from './failure.ts';
import {Issue} from './issue.ts';
import {RunOutcome} from './run.ts';
import {ToolSpec} from './tool.ts';
import {Usage} from './usage.ts';

/**
 * Said by both sides before anything else. During an upgrade a supervisor that still runs forks the
 * new runner's file; the two must notice when they no longer understand each other.
 */
export const PROTOCOL_VERSION = 5;

const ms = z.int().check(z.minimum(1));

const Hooks = z.object({
  after_create: z.nullable(z.string()),
  before_run: z.nullable(z.string()),
  after_run: z.nullable(z.string()),
  deliver: z.nullable(z.string()),
  before_remove: z.nullable(z.string()),
  timeout_ms: ms,
});

/** A conversation that an earlier run left behind, to be gone on with. */
export const ThreadRecord = z.object({
  /** The kind of agent: no other kind can resume it. */
  agent: z.string(),
  id: z.string(),
  /** The workspace it knows. In another one it would be lost, so a change means a fresh thread. */
  workspace_path: z.string(),
  /** Tokens already counted, so that a resumed thread is not counted twice. */
  usage: Usage,
  /** Digest of template, title and description as the thread last got them. */
  prompt_digest: z.string(),
  turns: z.int(),
  /** Who held it; another role would find instructions in it that are not its own. */
  role: z.string(),
  /** null: the workflow has no phases. */
  phase: z.nullable(z.string()),
  /** Of the tools that it was begun with. null: not known, it is of an older version. */
  tools_digest: z.nullable(z.string()),
});
export type ThreadRecord = z.infer<typeof ThreadRecord>;

export const OperatorMessage = z.object({id: z.string(), text: z.string()});
export type OperatorMessage = z.infer<typeof OperatorMessage>;

/** What every job needs to say what it does. */
const common = {
  protocol: z.literal(PROTOCOL_VERSION),
  /** Also in the environment of every process that the run starts (`SYMPHONY_RUN_ID`). */
  run_id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)),
  /** Where the run's JSON lines go. */
  transcript_path: z.string(),
  transcript_max_bytes: z.int().check(z.minimum(1024)),
  /** Names of variables that nothing started by the runner may see. */
  secret_names: z.array(z.string()),
  /** How hooks and agents are started: `sh -c` and `bash -c`, or `sh -lc` and `bash -lc`. */
  shell: z.enum(['plain', 'login']),
};

const workspaceJob = {
  ...common,
  issue: Issue,
  workspace_root: z.string(),
  hooks: Hooks,
  attempt: z.nullable(z.int()),
};

/** One attempt at one issue. */
export const AttemptJob = z.object({
  kind: z.literal('attempt'),
  ...workspaceJob,
  prompt: z.object({
    template: z.string(),
    engine: z.nullable(z.enum(['mustache', 'liquid'])),
    /** Names it in complaints; absent: the workflow file. */
    file: z.optional(z.string()),
  }),
  /** Who runs the issue; `worker` is the workflow file itself. */
  role: z.string(),
  /** null: the workflow has no phases. */
  phase: z.nullable(z.string()),
  retry: z.nullable(z.enum(['continuation', 'failure'])),
  last_error: z.nullable(z.string()),
  /** What operators want the agent to hear, oldest first; `turn_started` names those that were given. */
  messages: z.array(OperatorMessage),
  thread: z.nullable(ThreadRecord),
  max_turns: z.int().check(z.minimum(1)),
  /** Turns in a row that changed nothing, after which the run ends; 0 is no limit. */
  max_idle_turns: z.int().check(z.minimum(0)),
  agent_env: z.array(z.string()),
  agent: AgentJob,
  tools: z.array(ToolSpec),
});
export type AttemptJob = z.infer<typeof AttemptJob>;

const CleanWorkspace = z.object({
  issue: Issue,
  /** The path that the run recorded: settings may have changed since. */
  workspace_path: z.string(),
  /** Kept if it holds work that is nowhere else. */
  keep_work: z.boolean(),
});
export type CleanWorkspace = z.infer<typeof CleanWorkspace>;

/** A look for work, `before_remove`, then the workspace is deleted: one after the other, for a process costs more than that. */
export const CleanJob = z.object({
  kind: z.literal('clean'),
  ...common,
  hooks: Hooks,
  workspaces: z.array(CleanWorkspace).check(z.minLength(1)),
});
export type CleanJob = z.infer<typeof CleanJob>;

/** `after_run` in place of a runner that died before it could. */
export const FinishJob = z.object({
  kind: z.literal('finish'),
  ...workspaceJob,
  workspace_path: z.string(),
  outcome: RunOutcome,
});
export type FinishJob = z.infer<typeof FinishJob>;

/** `deliver` alone, for a clean run whose delivery failed. No agent, no slot. */
export const DeliverJob = z.object({
  kind: z.literal('deliver'),
  ...workspaceJob,
  workspace_path: z.string(),
});
export type DeliverJob = z.infer<typeof DeliverJob>;

/** Is the agent there, does it answer, is it logged in? Asked once before the first launch. */
export const ProbeJob = z.object({
  kind: z.literal('probe'),
  ...common,
  agent_env: z.array(z.string()),
  agent: AgentJob,
});
export type ProbeJob = z.infer<typeof ProbeJob>;

export const RunJob = z.discriminatedUnion('kind', [
  AttemptJob,
  CleanJob,
  FinishJob,
  DeliverJob,
  ProbeJob,
]);
export type RunJob = z.infer<typeof RunJob>;

/** What a probe found out. `logged_in` is null when the agent could not say. */
export const ProbeResult = z.object({
  version: z.nullable(z.string()),
  logged_in: z.nullable(z.boolean()),
  failure: z.nullable(Failure),
});
export type ProbeResult = z.infer<typeof ProbeResult>;
