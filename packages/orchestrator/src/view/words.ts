import type {
  Measure,
  RunningRow,
  RunOutcome,
  RunPhase,
  Snapshot,
} from '@symphony-supervisor/protocol';

// How numbers, times and codes are displayed, in the browser and on the terminal.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Two units at most: `42s`, `4m 05s`, `3h 07m`, `2d 4h`. */
export function span(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  const left = Math.max(0, ms);
  if (left < MINUTE) return `${Math.floor(left / SECOND)}s`;
  if (left < HOUR) return `${Math.floor(left / MINUTE)}m ${two((left % MINUTE) / SECOND)}s`;
  if (left < DAY) return `${Math.floor(left / HOUR)}h ${two((left % HOUR) / MINUTE)}m`;
  return `${Math.floor(left / DAY)}d ${Math.floor((left % DAY) / HOUR)}h`;
}

/** One unit, where the magnitude is enough: `42s`, `4m`, `3h`, `2d`. */
export function roughly(ms: number): string {
  return span(ms).split(' ', 1)[0] ?? '';
}

/** Like `span`, for what may take less than a second. */
export function shortSpan(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)}ms`;
  return ms < 10 * SECOND ? `${(ms / SECOND).toFixed(1)}s` : span(ms);
}

/** Time until an instant; overdue counts as now. */
export function countdown(at: number, now: number): string {
  return at <= now ? 'now' : span(Math.ceil((at - now) / SECOND) * SECOND);
}

/** `950`, `12.3k`, `4.56M`: three digits are enough. */
export function count(n: number): string {
  if (n < 999.5) return String(Math.round(n));
  for (const [unit, sign] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    // 999.96k would be rounded to 1000k.
    if (n >= unit * 0.9995) return `${(n / unit).toPrecision(3)}${sign}`;
  }
  return String(n);
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

const PHASES: Readonly<Record<RunPhase, string>> = {
  dispatching: 'dispatching',
  preparing_workspace: 'workspace',
  building_prompt: 'prompt',
  launching_agent_process: 'launching',
  initializing_session: 'session',
  streaming_turn: 'working',
  finishing: 'finishing',
  stopping: 'stopping',
};

export function phaseWords(phase: RunPhase): string {
  return PHASES[phase] ?? phase;
}

const OUTCOMES: Readonly<Record<RunOutcome, string>> = {
  succeeded: 'succeeded',
  no_change: 'no change',
  failed: 'failed',
  timed_out: 'timed out',
  stalled: 'stalled',
  canceled_by_reconciliation: 'canceled',
  stopped_by_operator: 'stopped',
  input_required: 'asked',
  limit_reached: 'limit reached',
  interrupted: 'interrupted',
};

export function outcomeWords(outcome: RunOutcome): string {
  return OUTCOMES[outcome] ?? outcome;
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

export function outcomeTone(outcome: RunOutcome): Tone {
  if (outcome === 'succeeded') return 'good';
  if (outcome === 'failed' || outcome === 'timed_out' || outcome === 'stalled') return 'bad';
  return outcome === 'input_required' || outcome === 'limit_reached' ? 'warn' : 'plain';
}

/** A code such as `turn_input_required` as words. */
export function codeWords(code: string): string {
  return code.replaceAll('_', ' ');
}

function two(n: number): string {
  return String(Math.floor(n)).padStart(2, '0');
}

/** The usage of a run: unknown, not zero, without measurement; a lower bound if a turn was interrupted. */
export function tokens(row: Pick<RunningRow, 'tokens' | 'usage'>, spell = count): string {
  return measured(row.tokens.total_tokens, row.usage, spell);
}

/** Any figure that is made of tokens. */
export function measured(figure: number, usage: Measure, spell = count): string {
  if (usage === 'unmeasured') return usage;
  return usage === 'partial' ? `≥ ${spell(figure)}` : spell(figure);
}

/** All that was used so far. Nothing at all, while agents work that do not measure, is not known to be nothing. */
export function totalTokens({codex_totals: totals, running}: Totals, spell = count): string {
  const isUnknown = totals.total_tokens === 0 && running.some(({usage}) => usage === 'unmeasured');
  return measured(totals.total_tokens, isUnknown ? 'unmeasured' : 'measured', spell);
}

type Totals = Pick<Snapshot, 'codex_totals' | 'running'>;

/** Kind and model of a run's agent, as far as they are known. */
export function agentWords({agent, model}: Pick<RunningRow, 'agent' | 'model'>): string {
  return [agent, model].filter((part) => part !== null).join(' ');
}

/** Which role a row is about; empty for the workflow file itself, which needs no mention. */
export function roleWords({role}: {readonly role: string}): string {
  return role === 'worker' ? '' : role;
}
