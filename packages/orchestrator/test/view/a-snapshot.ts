import {
  type HeldRow,
  NO_USAGE,
  type ProjectRow,
  type RetryingRow,
  type RunningRow,
  type RunView,
  Snapshot,
  type WaitingRow,
} from '@symphony-supervisor/protocol';

// Snapshots for tests of what shows them.

/** When they were made. */
export const AT = Date.parse('2026-05-04T10:00:00.000Z');

export function at(offsetMs: number): string {
  return new Date(AT + offsetMs).toISOString();
}

function ref(identifier: string) {
  return {
    issue_id: identifier,
    issue_identifier: identifier,
    issue_title: `title of ${identifier}`,
    issue_url: null,
    project: 'p',
    state: 'Todo',
    role: 'worker',
  };
}

export function aRunning(identifier: string, change: Partial<RunningRow> = {}): RunningRow {
  return {
    ...ref(identifier),
    phase: 'streaming_turn',
    session_id: null,
    run_id: `run-${identifier}`,
    host: 'local',
    agent: 'codex',
    model: 'm-1',
    attempt: null,
    turn_count: 1,
    last_event: null,
    last_message: `${identifier} works`,
    started_at: at(-60_000),
    last_event_at: at(-5000),
    stalls_at: at(295_000),
    workspace_path: null,
    tokens: {...NO_USAGE, total_tokens: 12_345},
    usage: 'measured',
    ...change,
  };
}

export function aHeld(identifier: string, change: Partial<HeldRow> = {}): HeldRow {
  const because = {reason: 'stopped_by_operator', message: 'stopped by hand', question: null};
  return {...ref(identifier), ...because, since: at(-3_600_000), ...change};
}

export function aRetrying(identifier: string, change: Partial<RetryingRow> = {}): RetryingRow {
  const due = {attempt: 2, due_at: at(90_000), error: 'turn failed', kind: 'failure'} as const;
  return {...ref(identifier), ...due, ...change};
}

export function aWaiting(identifier: string): WaitingRow {
  return {...ref(identifier), reason: 'no slot is free'};
}

export function aProject(change: Partial<ProjectRow> = {}): ProjectRow {
  return {
    name: 'p',
    workflow_path: '/p/WORKFLOW.md',
    tracker: {kind: 'file', not_before: null, budget: null, malformed: null},
    is_paused: false,
    problem: null,
    dispatch_block: null,
    agent: {status: 'ready', version: '1.2.3', why: null, until: null},
    other_agents: [],
    slots: {used: 0, limit: 10},
    candidates: 0,
    polling: {checking: false, interval_ms: 30_000, next_poll_in_ms: 12_000},
    last_error: null,
    ...change,
  };
}

export function aSnapshot(change: Partial<Snapshot> = {}): Snapshot {
  const {running = [], stopping = [], retrying = [], held = [], waiting = []} = change;
  return Snapshot.parse({
    generated_at: at(0),
    supervisor: {
      version: '0.1.0',
      pid: 1,
      started_at: at(-7_200_000),
      is_shutting_down: false,
      store_is_writable: true,
      slots: {used: running.length, limit: null},
    },
    counts: {
      running: running.length,
      stopping: stopping.length,
      retrying: retrying.length,
      held: held.length,
      waiting: waiting.length,
    },
    ...{running, stopping, retrying, held, waiting},
    codex_totals: {input_tokens: 900, output_tokens: 100, total_tokens: 1000, seconds_running: 61},
    rate_limits: null,
    polling: {checking: false, interval_ms: 30_000, next_poll_in_ms: 12_000},
    projects: [aProject()],
    last_error: null,
    ...change,
  });
}

export function aRun(endedAt: string, change: Partial<RunView> = {}): RunView {
  return {
    run_id: `run-${endedAt}`,
    host: 'local',
    project: 'p',
    issue_id: 'A-1',
    issue_identifier: 'A-1',
    role: 'worker',
    attempt: null,
    started_at: endedAt,
    ended_at: endedAt,
    duration_ms: 1000,
    outcome: 'succeeded',
    failure: null,
    turns: 1,
    tokens: {...NO_USAGE, total_tokens: 100},
    usage: 'measured',
    issue_title: 'A title',
    ...{issue_url: null, state: null, workspace_path: null, made: null, links: []},
    ...{agent: 'codex', model: null},
    ...change,
  };
}
