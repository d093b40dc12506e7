import * as z from 'zod/mini';
import {RateLimits} from '../wire/agent-event.ts';
import {RunPhase} from '../wire/run.ts';
import {Usage} from '../wire/usage.ts';
import {Measure} from './measure.ts';
import {TrackerBudget} from './tracker-budget.ts';

// What the supervisor shows of itself: one shape for the HTTP API, the dashboard, the terminal view and
// the command line. Instants are ISO 8601; names are those that users of Symphony know.

const instant = z.string();
/** The machine that runs the agent: `local` is the supervisor's own. */
const host = z.string();

/** Who runs it, or will: `worker` is the workflow file itself. A supervisor of an older version does not tell. */
const role = z._default(z.string(), 'worker');

const issueRef = {
  issue_id: z.string(),
  issue_identifier: z.string(),
  issue_title: z.string(),
  issue_url: z.nullable(z.string()),
  project: z.string(),
  /** The tracker's state, as last read. */
  state: z.string(),
};

export const RunningRow = z.object({
  ...issueRef,
  phase: RunPhase,
  session_id: z.nullable(z.string()),
  run_id: z.string(),
  host,
  role,
  /** The kind of agent; null in a snapshot of an older version. */
  agent: z._default(z.nullable(z.string()), null),
  /** As named by the workflow or reported by the agent; null: unknown so far. */
  model: z._default(z.nullable(z.string()), null),
  attempt: z.nullable(z.int()),
  turn_count: z.int(),
  last_event: z.nullable(z.string()),
  last_message: z.nullable(z.string()),
  started_at: instant,
  last_event_at: z.nullable(instant),
  /** When silence becomes a stall; null while the clock rests or is switched off. */
  stalls_at: z.nullable(instant),
  workspace_path: z.nullable(z.string()),
  /** This run's. */
  tokens: Usage,
  usage: Measure,
});
export type RunningRow = z.infer<typeof RunningRow>;

/** A runner that was told to end, or a workspace that is being removed. */
export const StoppingRow = z.object({
  ...issueRef,
  role,
  run_id: z.nullable(z.string()),
  /** Of the run, or of the workspace. */
  host: z.nullable(host),
  reason: z.nullable(z.string()),
  /** What it waits for: the runner's end, a read, a write, a small job. */
  step: z.string(),
  /** What follows: release, clean, continue, retry, wait, deliver, hold, dismiss, resume. */
  next: z.string(),
  workspace_path: z.nullable(z.string()),
});
export type StoppingRow = z.infer<typeof StoppingRow>;

export const RetryingRow = z.object({
  ...issueRef,
  role,
  attempt: z.nullable(z.int()),
  due_at: instant,
  /** Why it waits although it is due, or what went wrong. */
  error: z.nullable(z.string()),
  /** `delivery`: no agent is started, the work of the last run is delivered. */
  kind: z.enum(['continuation', 'failure', 'resume', 'delivery']),
});
export type RetryingRow = z.infer<typeof RetryingRow>;

export const HeldRow = z.object({
  ...issueRef,
  role,
  /** A code; `message` says it in words. */
  reason: z.string(),
  message: z.string(),
  question: z.nullable(z.string()),
  since: instant,
});
export type HeldRow = z.infer<typeof HeldRow>;

/** A candidate that was not dispatched, and why. */
export const WaitingRow = z.object({...issueRef, role, reason: z.string()});
export type WaitingRow = z.infer<typeof WaitingRow>;

/** A workspace that outlived its issue, because it holds work that is nowhere else. */
export const KeptRow = z.object({
  ...issueRef,
  host,
  workspace_path: z.string(),
  /** What it holds: `2 commits not pushed, 1 file not committed`. */
  reason: z.string(),
  since: instant,
});
export type KeptRow = z.infer<typeof KeptRow>;

/** A process of a run that outlived SIGKILL, and is still there. */
export const LeftProcess = z.object({
  /** null: not known. */
  run_id: z.nullable(z.string()),
  pid: z.int(),
  /** The name of the program, without its arguments. */
  command: z.string(),
});
export type LeftProcess = z.infer<typeof LeftProcess>;

/** The last time that the environment of hooks and agents was read from a login shell. */
export const LoginFacts = z.object({
  at: instant,
  took_ms: z.int(),
  profile: z.string(),
  /** Why there is none of that time; hooks and agents then get the one before it, or the supervisor's own. */
  problem: z.nullable(z.string()),
});
export type LoginFacts = z.infer<typeof LoginFacts>;

/** Records of a tracker that are no issues as they are: how many, and the first few with place and reason. */
export const MalformedRecords = z.object({
  count: z.int(),
  examples: z.readonly(z.array(z.string())),
});
export type MalformedRecords = z.infer<typeof MalformedRecords>;

const Polling = z.object({
  checking: z.boolean(),
  interval_ms: z.int(),
  next_poll_in_ms: z.nullable(z.int()),
});

/** Whether agents of a kind can be started. */
const agent = {
  status: z.enum(['unknown', 'probing', 'ready', 'blocked']),
  version: z.nullable(z.string()),
  why: z.nullable(z.string()),
  /** When a blocked agent is tried again. */
  until: z.nullable(instant),
};

export const ProjectRow = z.object({
  name: z.string(),
  workflow_path: z.string(),
  tracker: z.object({
    kind: z.string(),
    /** The tracker wants to be left alone until then. */
    not_before: z.nullable(instant),
    budget: z.nullable(TrackerBudget),
    /** Left out of the last list of candidates; null: none. */
    malformed: z._default(z.nullable(MalformedRecords), null),
  }),
  is_paused: z.boolean(),
  /** Why the workflow file as it is now cannot be used. */
  problem: z.nullable(z.string()),
  /** Why nothing is dispatched at the moment; null if it is. */
  dispatch_block: z.nullable(z.string()),
  agent: z.object(agent),
  /** Of the kinds that only roles have. */
  other_agents: z._default(z.array(z.object({kind: z.string(), ...agent})), []),
  slots: z.object({used: z.int(), limit: z.int()}),
  candidates: z.int(),
  polling: Polling,
  last_error: z.nullable(z.string()),
});
export type ProjectRow = z.infer<typeof ProjectRow>;

export const Snapshot = z.object({
  generated_at: instant,
  /** Of the process that answers. */
  supervisor: z.object({
    version: z.string(),
    pid: z.int(),
    started_at: instant,
    is_shutting_down: z.boolean(),
    store_is_writable: z.boolean(),
    slots: z.object({used: z.int(), limit: z.nullable(z.int())}),
    /** What could not be ended. A supervisor of an older version does not tell. */
    left_processes: z._default(z.array(LeftProcess), []),
    /** null: not read yet, or not at all (`agent.shell: login` in every project). */
    login: z._default(z.nullable(LoginFacts), null),
  }),
  counts: z.object({
    running: z.int(),
    stopping: z.int(),
    retrying: z.int(),
    held: z.int(),
    waiting: z.int(),
    kept: z._default(z.int(), 0),
    dismissed: z._default(z.int(), 0),
  }),
  running: z.array(RunningRow),
  stopping: z.array(StoppingRow),
  retrying: z.array(RetryingRow),
  held: z.array(HeldRow),
  /** What operators want left alone until it changes: the first hundred; `counts.dismissed` is the number of all. */
  dismissed: z._default(z.array(HeldRow), []),
  /** The first hundred; `counts.waiting` is the number of all. */
  waiting: z.array(WaitingRow),
  /** The first hundred; `counts.kept` is the number of all. */
  kept: z._default(z.array(KeptRow), []),
  codex_totals: z.object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    total_tokens: z.int(),
    seconds_running: z.number(),
  }),
  rate_limits: z.nullable(RateLimits),
  /** The project whose tick comes next. */
  polling: Polling,
  projects: z.array(ProjectRow),
  last_error: z.nullable(z.string()),
});
export type Snapshot = z.infer<typeof Snapshot>;
