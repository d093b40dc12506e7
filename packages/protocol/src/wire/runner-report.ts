import * as z from 'zod/mini';
import {AgentProgress} from './agent-event.ts';
import {Failure} from './failure.ts';
import {RunOutcome, RunPhase} from './run.ts';
import {ProbeResult, ThreadRecord} from './run-job.ts';
import {measuredUsage} from './usage.ts';

export const HookName = z.enum([
  'after_create',
  'before_run',
  'after_run',
  'deliver',
  'before_remove',
]);
export type HookName = z.infer<typeof HookName>;

/** Neither the workspace nor the issue nor, through our tools, the tracker: then a run was idle. */
export const Evidence = z.object({
  workspace_changed: z.boolean(),
  issue_changed: z.boolean(),
  tools_wrote: z.boolean(),
});
export type Evidence = z.infer<typeof Evidence>;

/** What a run made, by git. Lines are those of tracked files, committed or not. */
export const Made = z.object({
  /** null: HEAD is detached. */
  branch: z.nullable(z.string()),
  /** null: no commit yet. */
  head: z.nullable(z.string()),
  commits: z.int(),
  files: z.int(),
  lines_added: z.int(),
  lines_removed: z.int(),
});
export type Made = z.infer<typeof Made>;

/** What a hook reported by a `name=https://…` line in the file `$SYMPHONY_OUTPUT`. */
export const ResultLink = z.object({name: z.string(), url: z.string()});
export type ResultLink = z.infer<typeof ResultLink>;

/** How a run ended and what it leaves behind. The last report but for the process's exit. */
export const RunResult = z.object({
  outcome: RunOutcome,
  failure: z.nullable(Failure),
  /** What the agent asked, when it needs a person. */
  question: z.nullable(z.string()),
  turns: z.int(),
  ...measuredUsage,
  thread: z.nullable(ThreadRecord),
  /** null when it was never taken, because the run did not get that far. */
  evidence: z.nullable(Evidence),
  /** null: there is no repository, or the run did not get that far. */
  made: z.nullable(Made),
  links: z.array(ResultLink),
});
export type RunResult = z.infer<typeof RunResult>;

/** What became of a workspace that was to be cleaned. One that was gone already is removed. */
export const CleanOutcome = z.discriminatedUnion('is', [
  z.object({is: z.literal('removed')}),
  /** It holds work that is nowhere else; the reason says which. */
  z.object({is: z.literal('kept'), reason: z.string()}),
  z.object({is: z.literal('failed'), failure: Failure}),
]);
export type CleanOutcome = z.infer<typeof CleanOutcome>;

/** Runner → orchestrator. Statements only; nothing here expects an answer. Questions are in host-call.ts. */
export const RunnerReport = z.discriminatedUnion('type', [
  z.object({type: z.literal('hello'), protocol: z.int(), pid: z.int()}),
  z.object({type: z.literal('phase'), phase: RunPhase}),
  z.object({type: z.literal('workspace'), path: z.string(), created: z.boolean()}),
  /** The stall clock rests between a hook's start and its end. */
  z.object({type: z.literal('hook_started'), hook: HookName}),
  z.object({
    type: z.literal('hook_ended'),
    hook: HookName,
    failure: z.nullable(Failure),
    duration_ms: z.number(),
    /** The end of what it printed. */
    output: z.string(),
  }),
  z.object({type: z.literal('agent_started'), pid: z.int()}),
  z.object({type: z.literal('thread'), thread: ThreadRecord, resumed: z.boolean()}),
  z.object({
    type: z.literal('turn_started'),
    turn: z.int(),
    session_id: z.string(),
    /** The operators' messages that the conversation has from now on. */
    message_ids: z.array(z.string()),
  }),
  z.object({type: z.literal('agent'), progress: AgentProgress}),
  /** Worth a line in the main log; not a failure. */
  z.object({type: z.literal('note'), message: z.string()}),
  /** What is left of a workspace and cannot be deleted, once for each folder. */
  z.object({
    type: z.literal('trash_stuck'),
    path: z.string(),
    size_kb: z.nullable(z.int()),
    reason: z.string(),
  }),
  z.object({type: z.literal('heartbeat')}),
  z.object({type: z.literal('result'), result: RunResult}),
  /** One entry for each workspace of the job, in its order. */
  z.object({type: z.literal('cleaned'), outcomes: z.array(CleanOutcome)}),
  z.object({type: z.literal('finished'), failure: z.nullable(Failure)}),
  z.object({
    type: z.literal('delivered'),
    failure: z.nullable(Failure),
    links: z.array(ResultLink),
  }),
  z.object({type: z.literal('probed'), result: ProbeResult}),
]);
export type RunnerReport = z.infer<typeof RunnerReport>;

/** A run that is alive says so this often; one that has not for six times as long is taken for dead. */
export const HEARTBEAT_MS = 5000;
