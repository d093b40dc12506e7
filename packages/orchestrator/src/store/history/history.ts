import type {ClaimKey} from '../../core/claim.ts';
import type {Action, RunBegun} from '../change.ts';
import type {Database} from '../database.ts';
import {
  action,
  type LifetimeTotals,
  lifetimeTotals,
  type RunRecord,
  readable,
  runBegun,
  runRecord,
} from './history-rows.ts';

/** Newest first. */
export function runsOf(db: Database, key: ClaimKey, limit: number): RunRecord[] {
  const rows = db
    .prepare(
      `SELECT * FROM runs WHERE key = ? AND ended_at IS NOT NULL
       ORDER BY started_at DESC, rowid DESC LIMIT ?`,
    )
    .all(key, limit);
  return readable(rows, runRecord);
}

/** Of all issues, newest first. */
export function recentRuns(db: Database, limit: number): RunRecord[] {
  const rows = db
    .prepare(
      `SELECT * FROM runs WHERE ended_at IS NOT NULL
       ORDER BY started_at DESC, rowid DESC LIMIT ?`,
    )
    .all(limit);
  return readable(rows, runRecord);
}

/** Newest first. */
export function keysOf(db: Database, identifier: string): ClaimKey[] {
  const find = (matches: string) =>
    db
      .prepare(`SELECT key FROM runs WHERE ${matches} GROUP BY key ORDER BY max(started_at) DESC`)
      .all(identifier)
      .map((row) => String((row as {key: unknown}).key));
  const exact = find('identifier = ?');
  return exact.length > 0 ? exact : find('identifier = ? COLLATE NOCASE');
}

/** Started and not ended, oldest first. A run without a claim was interrupted. */
export function openRuns(db: Database): RunBegun[] {
  const rows = db.prepare('SELECT * FROM runs WHERE ended_at IS NULL ORDER BY started_at').all();
  return readable(rows, runBegun);
}

/** Newest first. */
export function actions(db: Database, limit: number): Action[] {
  const rows = db.prepare('SELECT at, by, command FROM actions ORDER BY id DESC LIMIT ?');
  return readable(rows.all(limit), action);
}

/** Of one issue, newest first. */
export function actionsOf(db: Database, key: ClaimKey, limit: number): Action[] {
  // In JSON a quote inside of a string is escaped, so no message can contain this text.
  const rows = db.prepare(
    'SELECT at, by, command FROM actions WHERE instr(command, ?) > 0 ORDER BY id DESC LIMIT ?',
  );
  return readable(rows.all(`"key":${JSON.stringify(key)}`, limit), action);
}

const TOKENS = ['input', 'cached_input', 'output', 'reasoning_output', 'total'].map(
  (kind) => `${kind}_tokens`,
);
export const TOKEN_COLUMNS = TOKENS.join(', ');
export const TOKEN_SUMS = TOKENS.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ');

export function lifetimeOf(db: Database, key: ClaimKey): LifetimeTotals {
  const row: unknown = db
    .prepare(
      `SELECT coalesce(sum(runs), 0) AS runs, coalesce(sum(ms_running), 0) AS ms_running,
         coalesce(sum(unmeasured), 0) AS unmeasured, coalesce(sum(partial), 0) AS partial, ${TOKEN_SUMS}
       FROM (
         SELECT 1 AS runs, ended_at - started_at AS ms_running, unmeasured, partial, ${TOKEN_COLUMNS}
         FROM runs WHERE key = ?1 AND ended_at IS NOT NULL
         UNION ALL
         SELECT runs, ms_running, unmeasured, partial, ${TOKEN_COLUMNS} FROM pruned_runs WHERE key = ?1
       )`,
    )
    .get(key);
  return lifetimeTotals(row);
}
