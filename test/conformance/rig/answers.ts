/** What the API answers, as far as cases look at it: written down from its contract, not from its code. */
export interface Tokens {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_output_tokens: number;
  readonly total_tokens: number;
}

interface Row {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly issue_url: string | null;
}

export interface Running extends Row {
  readonly project: string;
  readonly state: string;
  readonly phase: string;
  readonly session_id: string | null;
  readonly run_id: string;
  readonly attempt: number | null;
  readonly turn_count: number;
  readonly last_event: string | null;
  readonly last_message: string | null;
  readonly started_at: string;
  readonly last_event_at: string | null;
  readonly workspace_path: string | null;
  readonly tokens: Tokens;
}

export interface Retrying extends Row {
  readonly attempt: number;
  readonly due_at: string;
  readonly error: string | null;
  readonly kind: string;
}

export interface Held extends Row {
  readonly reason: string;
  /** What to do about it. */
  readonly message: string;
  readonly question: string | null;
  readonly since: string;
}

export interface State {
  readonly generated_at: string;
  readonly counts: Readonly<Record<'running' | 'retrying' | 'held' | 'dismissed', number>>;
  readonly running: readonly Running[];
  readonly retrying: readonly Retrying[];
  readonly held: readonly Held[];
  readonly waiting: readonly {readonly issue_identifier: string; readonly reason: string}[];
  readonly codex_totals: Pick<Tokens, 'input_tokens' | 'output_tokens' | 'total_tokens'> & {
    readonly seconds_running: number;
  };
  readonly rate_limits: unknown;
  readonly polling: {readonly checking: boolean; readonly interval_ms: number};
  readonly projects: readonly Readonly<Record<string, unknown>>[];
  readonly last_error: unknown;
}

export interface PastRun {
  readonly run_id: string;
  readonly outcome: string | null;
  readonly attempt: number | null;
  readonly turns: number;
  readonly tokens: Tokens;
}

export interface IssuePage {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly project: string;
  readonly status: string;
  readonly workspace: {readonly path: string | null};
  readonly attempts: {
    readonly restart_count: number;
    readonly current_retry_attempt: number | null;
  };
  readonly running: Running | null;
  readonly retry: Retrying | null;
  readonly held: Held | null;
  readonly recent_events: readonly {readonly at: string; readonly event: string}[];
  readonly last_error: unknown;
  readonly runs: readonly PastRun[];
}

/** No claim is on it: it is told how it stands instead. */
export function isLetGo(status: string): boolean {
  return ['done', 'parked', 'gone', 'waiting'].includes(status);
}
