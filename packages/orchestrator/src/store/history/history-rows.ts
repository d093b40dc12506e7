import {Made, ResultLink, RunOutcome, type Usage} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import type {ReleaseStatus, RunEnded} from '../../core/effect.ts';
import type {OperatorCommand} from '../../core/event.ts';
import type {Action, RunBegun} from '../change.ts';
import type {Agree} from '../claims/agree.ts';

/** A finished run. An unfinished one is part of its claim. */
export interface RunRecord extends RunEnded {
  readonly identifier: string;
  /** How the issue stood when it was let go after this run; null: it was not, or an older version did it. */
  readonly status: ReleaseStatus | null;
}

/** Totals of all finished runs of an issue, pruned ones included. */
export interface LifetimeTotals {
  readonly runs: number;
  readonly msRunning: number;
  readonly usage: Usage;
  /** Runs whose tokens are not known, and those of which only the last figures are. */
  readonly unmeasured: number;
  readonly partial: number;
}

const text = z.nullable(z.string());

const begunColumns = {
  run_id: z.string(),
  key: z.string(),
  identifier: z.string(),
  role: z.string(),
  attempt: z.nullable(z.number()),
  started_at: z.number(),
  host: z.string(),
};
const BegunRow = z.object(begunColumns);

const tokenColumns = {
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_output_tokens: z.number(),
  total_tokens: z.number(),
};
const EndedRow = z.object({
  ...begunColumns,
  ...tokenColumns,
  ended_at: z.number(),
  outcome: RunOutcome,
  failure: z.nullable(z.string()),
  turns: z.number(),
  title: text,
  url: text,
  state: text,
  status: z.nullable(z.enum(['waiting', 'done', 'parked', 'gone'])),
  workspace: text,
  agent: text,
  model: text,
  made: text,
  links: text,
  unmeasured: z.number(),
  partial: z.number(),
});
const TotalsRow = z.object({
  ...tokenColumns,
  runs: z.number(),
  ms_running: z.number(),
  unmeasured: z.number(),
  partial: z.number(),
});

const ActionRow = z.object({at: z.number(), by: z.string(), command: z.string()});
const FormerRestart = z.object({command: z.literal('release'), key: z.string()});
const CommandSchema = z.discriminatedUnion('command', [
  z.object({command: z.enum(['stop', 'restart', 'clean']), key: z.string()}),
  z.object({command: z.literal('dismiss'), key: z.string(), orderedAt: z.number()}),
  z.object({command: z.literal('retry'), key: z.string(), message: z.nullable(z.string())}),
  z.object({command: z.enum(['pause', 'resume', 'refresh']), project: z.nullable(z.string())}),
]);

/** An unreadable row comes from a damaged file and is left out: history is informational. */
export function readable<T>(rows: readonly unknown[], read: (row: unknown) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch {
      return [];
    }
  });
}

export function runBegun(row: unknown): RunBegun {
  const {run_id: runId, started_at: startedAt, ...same} = BegunRow.parse(row);
  return {...same, runId, startedAt};
}

export function runRecord(row: unknown): RunRecord {
  const {run_id, started_at, key, identifier, role, attempt, host, ended_at, ...rest} =
    EndedRow.parse(row);
  const {outcome, failure, turns, status, title, url, state, workspace, model, ...more} = rest;
  const {agent, made, links, unmeasured, partial, ...usage} = more;
  const times = {startedAt: started_at, endedAt: ended_at};
  const results = {
    ...{title, url, state, agent, model, workspacePath: workspace},
    made: made === null ? null : Made.parse(JSON.parse(made)),
    isMeasured: unmeasured === 0,
    isPartial: partial === 1,
    links: links === null ? [] : z.array(ResultLink).parse(JSON.parse(links)),
  };
  const run = {
    key,
    runId: run_id,
    host,
    identifier,
    role,
    attempt,
    ...times,
    outcome,
    failure,
    turns,
  };
  return {...run, status, usage, results};
}

export function lifetimeTotals(row: unknown): LifetimeTotals {
  const {runs, ms_running: msRunning, unmeasured, partial, ...usage} = TotalsRow.parse(row);
  return {runs, msRunning, usage, unmeasured, partial};
}

export function action(row: unknown): Action {
  const {at, by, command} = ActionRow.parse(row);
  return {at, by, command: parseCommand(JSON.parse(command))};
}

function parseCommand(
  value: unknown,
): Agree<OperatorCommand, z.infer<typeof CommandSchema>, OperatorCommand> {
  return CommandSchema.parse(underItsName(value));
}

/** Older versions recorded a restart as `release`. */
function underItsName(value: unknown): unknown {
  const former = FormerRestart.safeParse(value);
  return former.success ? {...former.data, command: 'restart'} : value;
}
