import * as z from 'zod/mini';
import {RunOutcome} from '../wire/run.ts';
import {Made, ResultLink} from '../wire/runner-report.ts';
import {Usage} from '../wire/usage.ts';
import {Measure} from './measure.ts';
import {HeldRow, RetryingRow, RunningRow, StoppingRow} from './snapshot.ts';

/** A run that is over, as history keeps it. */
export const RunView = z.object({
  run_id: z.string(),
  /** The machine that ran the agent: `local` is the supervisor's own. */
  host: z.string(),
  project: z.string(),
  issue_id: z.string(),
  issue_identifier: z.string(),
  /** Who ran it: `worker` is the workflow file itself. */
  role: z.string(),
  attempt: z.nullable(z.int()),
  started_at: z.string(),
  ended_at: z.string(),
  duration_ms: z.number(),
  outcome: RunOutcome,
  /** A failure code. */
  failure: z.nullable(z.string()),
  turns: z.int(),
  tokens: Usage,
  usage: Measure,
  /** The issue as last read in this run; null for runs of an older version, here and below. */
  issue_title: z.nullable(z.string()),
  issue_url: z.nullable(z.string()),
  state: z.nullable(z.string()),
  workspace_path: z.nullable(z.string()),
  /** The kind of agent. An older version does not tell. */
  agent: z._default(z.nullable(z.string()), null),
  /** As the workflow or the agent names it; null: neither did. */
  model: z.nullable(z.string()),
  /** What the run made, by git. */
  made: z.nullable(Made),
  /** What its hooks reported. */
  links: z.array(ResultLink),
});
export type RunView = z.infer<typeof RunView>;

/** An order, and who gave it. */
export const ActionView = z.object({
  at: z.string(),
  /** Who: `http <address>`, or the name that the request gave. */
  by: z.string(),
  command: z.enum(['stop', 'retry', 'restart', 'dismiss', 'clean', 'pause', 'resume', 'refresh']),
  /** null: every project. */
  project: z.nullable(z.string()),
  /** null: the order is for projects; the same for `issue_identifier`. */
  issue_id: z.nullable(z.string()),
  issue_identifier: z.nullable(z.string()),
  /** What a retry tells the agent. */
  message: z.nullable(z.string()),
});
export type ActionView = z.infer<typeof ActionView>;

/** One line of what happened to an issue. */
export const RecentEvent = z.object({
  at: z.string(),
  event: z.string(),
  message: z.nullable(z.string()),
});
export type RecentEvent = z.infer<typeof RecentEvent>;

/** Everything about one issue. One that is not claimed is known by its history alone. */
export const IssueView = z.object({
  issue_id: z.string(),
  issue_identifier: z.string(),
  issue_title: z.nullable(z.string()),
  issue_url: z.nullable(z.string()),
  project: z.string(),
  /**
   * Its claim (`dismissed` is one that `held` tells more about); without one `waiting` (a candidate), `done` (in a terminal state), `parked` (neither
   * active nor terminal, or not routable) or `gone`, as it was last read.
   */
  status: z.enum([
    ...(['running', 'stopping', 'retrying', 'held', 'dismissed'] as const),
    ...(['waiting', 'done', 'parked', 'gone'] as const),
  ]),
  /** The tracker's state, as last read; null: not known. */
  state: z.nullable(z.string()),
  workspace: z.object({host: z.nullable(z.string()), path: z.nullable(z.string())}),
  attempts: z.object({
    /** Runs that were started after the first. */
    restart_count: z.int(),
    current_retry_attempt: z.nullable(z.int()),
  }),
  /** Over all its runs, whatever was forgotten since. */
  totals: z.object({
    runs: z.int(),
    seconds_running: z.number(),
    tokens: Usage,
    /** `partial` if any of the runs is not measured in full. */
    usage: Measure,
  }),
  running: z.nullable(RunningRow),
  stopping: z.nullable(StoppingRow),
  retry: z.nullable(RetryingRow),
  /** Also if it is dismissed. */
  held: z.nullable(HeldRow),
  recent_events: z.array(RecentEvent),
  last_error: z.nullable(z.string()),
  /** Transcripts, newest first. */
  logs: z.object({transcripts: z.array(z.object({run_id: z.string(), url: z.string()}))}),
  /** Newest first. */
  runs: z.array(RunView),
  /** The last 20 orders for this issue, newest first. */
  actions: z.array(ActionView),
});
export type IssueView = z.infer<typeof IssueView>;
