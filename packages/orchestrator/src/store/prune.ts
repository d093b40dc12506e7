import type {ClaimKey} from '../core/claim.ts';
import {type Database, inTransaction} from './database.ts';
import {TOKEN_COLUMNS, TOKEN_SUMS} from './history/history.ts';

export interface Keep {
  readonly keepDays: number;
  /** The newest of all issues. */
  readonly keepRuns: number;
}

/** The deleted runs, so that their transcripts can be deleted, too. */
export interface Pruned {
  readonly runs: readonly {readonly key: ClaimKey; readonly runId: string}[];
  readonly actions: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Too old or too many; never an open run, nor one of a claimed issue. */
const TO_PRUNE = `
  ended_at IS NOT NULL
  AND key NOT IN (SELECT key FROM claims)
  AND (ended_at < ?1 OR rowid NOT IN (
    SELECT rowid FROM runs ORDER BY started_at DESC, rowid DESC LIMIT ?2
  ))`;

const ADD_UP = `
  INSERT INTO pruned_runs (key, runs, ms_running, unmeasured, partial, ${TOKEN_COLUMNS})
  SELECT key, count(*), sum(ended_at - started_at), sum(unmeasured), sum(partial), ${TOKEN_SUMS}
  FROM runs WHERE ${TO_PRUNE} GROUP BY key
  ON CONFLICT (key) DO UPDATE SET
    runs = runs + excluded.runs, ms_running = ms_running + excluded.ms_running,
    unmeasured = unmeasured + excluded.unmeasured, partial = partial + excluded.partial,
    ${TOKEN_COLUMNS.split(', ')
      .map((name) => `${name} = ${name} + excluded.${name}`)
      .join(', ')}`;

/** Counters of issues are kept for good: they are small, and an old issue may return. */
export function prune(db: Database, {keepDays, keepRuns}: Keep, now: number): Pruned {
  const oldest = now - keepDays * DAY_MS;
  return inTransaction(db, () => {
    db.prepare(ADD_UP).run(oldest, keepRuns);
    const rows: unknown[] = db
      .prepare(`DELETE FROM runs WHERE ${TO_PRUNE} RETURNING key, run_id`)
      .all(oldest, keepRuns);
    const actions = db.prepare('DELETE FROM actions WHERE at < ?').run(oldest).changes;
    db.prepare('DELETE FROM sessions WHERE expires_at < ?').run(now);
    return {runs: rows.map(pruned), actions};
  });
}

function pruned(row: unknown): {key: ClaimKey; runId: string} {
  const {key, run_id: runId} = row as {key: string; run_id: string};
  return {key, runId};
}
