import type {StatementSyncInstance} from '@photostructure/sqlite';
import type {Claim, ClaimKey} from '../core/claim.ts';
import type {RunEnded} from '../core/effect.ts';
import type {RunBegun, StoreChange} from './change.ts';
import {claimJson} from './claims/claim-schema.ts';
import {type Database, inTransaction} from './database.ts';

/** Writes a change. Idempotent except for actions, which are appended. */
export type Save = (change: StoreChange) => void;

const SAVE_CLAIM = `
  INSERT INTO claims (key, project, issue_id, identifier, kind, run_id, pid, claim)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET
    identifier = excluded.identifier, kind = excluded.kind,
    run_id = excluded.run_id, pid = excluded.pid, claim = excluded.claim`;

const SAVE_COUNTERS = `
  INSERT INTO books (key, runs, tokens, idle_runs) VALUES (?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET
    runs = excluded.runs, tokens = excluded.tokens, idle_runs = excluded.idle_runs`;

const SAVE_WORKSPACES = `
  INSERT INTO workspaces (key, paths) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET paths = excluded.paths`;

const SAVE_KEPT = `
  INSERT INTO kept (key, workspaces) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET workspaces = excluded.workspaces`;

const SAVE_FACT = `
  INSERT INTO facts (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Once, however often the same text is met. */
const KEEP_UNREADABLE = `
  INSERT INTO unreadable (source, key, at, reason, text) SELECT ?1, ?2, ?3, ?4, ?5
  WHERE NOT EXISTS (SELECT 1 FROM unreadable WHERE source = ?1 AND key = ?2 AND text = ?5)`;

const BEGIN_RUN = `
  INSERT INTO runs (run_id, key, identifier, attempt, started_at, host, role) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run_id) DO NOTHING`;

/** A run whose start was lost with a damaged page still gets its end. */
const END_RUN = `
  INSERT INTO runs (run_id, key, identifier, attempt, started_at, ended_at, outcome, failure, turns,
    input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens, total_tokens,
    title, url, state, workspace, model, made, links, unmeasured, host, role, agent, partial)
  VALUES (?1, ?2, coalesce((SELECT identifier FROM claims WHERE key = ?2), ?2),
    ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23,
    ?24, ?25)
  ON CONFLICT (run_id) DO UPDATE SET
    ended_at = excluded.ended_at, outcome = excluded.outcome, failure = excluded.failure,
    turns = excluded.turns, input_tokens = excluded.input_tokens,
    cached_input_tokens = excluded.cached_input_tokens, output_tokens = excluded.output_tokens,
    reasoning_output_tokens = excluded.reasoning_output_tokens, total_tokens = excluded.total_tokens,
    title = excluded.title, url = excluded.url, state = excluded.state,
    workspace = excluded.workspace, model = excluded.model, made = excluded.made,
    links = excluded.links, unmeasured = excluded.unmeasured, host = excluded.host,
    agent = excluded.agent, partial = excluded.partial`;

/** A run that failed by its delivery alone has succeeded after all; one that was stopped was stopped. */
const SAVE_DELIVERY = `
  UPDATE runs SET outcome = iif(outcome = 'failed', 'succeeded', outcome), failure = NULL, links = ?2
  WHERE run_id = ?1 AND failure = 'delivery_failed'`;

/** Stored with the last run, the only record of an unclaimed issue. */
const SAVE_RELEASE = `
  UPDATE runs SET status = ?2, state = coalesce(?3, state) WHERE rowid = (
    SELECT rowid FROM runs WHERE key = ?1 ORDER BY started_at DESC, rowid DESC LIMIT 1
  )`;

export function prepareSave(db: Database): Save {
  const saveClaim = db.prepare(SAVE_CLAIM);
  const deleteClaim = db.prepare('DELETE FROM claims WHERE key = ?');
  const saveCounters = db.prepare(SAVE_COUNTERS);
  const saveWorkspaces = db.prepare(SAVE_WORKSPACES);
  const deleteWorkspaces = db.prepare('DELETE FROM workspaces WHERE key = ?');
  const saveKept = db.prepare(SAVE_KEPT);
  const deleteKept = db.prepare('DELETE FROM kept WHERE key = ?');
  const saveFact = db.prepare(SAVE_FACT);
  const beginRun = db.prepare(BEGIN_RUN);
  const endRun = db.prepare(END_RUN);
  const saveDelivery = db.prepare(SAVE_DELIVERY);
  const saveRelease = db.prepare(SAVE_RELEASE);
  const keepUnreadable = db.prepare(KEEP_UNREADABLE);
  const recordAction = db.prepare('INSERT INTO actions (at, by, command) VALUES (?, ?, ?)');

  function write(change: StoreChange): void {
    for (const {table, key, at, reason, text} of change.unreadable ?? []) {
      keepUnreadable.run(table, key, at, reason, text);
    }
    // Runs first: a finished run may take its identifier from a claim that is released in the same
    // change.
    for (const run of change.runsBegun ?? []) beginRun.run(...begunRow(run));
    for (const run of change.runsEnded ?? []) endRun.run(...endedRow(run));
    for (const {runId, links} of change.deliveries ?? []) {
      saveDelivery.run(runId, JSON.stringify(links));
    }
    for (const [key, {status, state}] of change.releases ?? []) saveRelease.run(key, status, state);
    for (const [key, claim] of change.claims ?? []) {
      if (claim === null) deleteClaim.run(key);
      else writeClaim(saveClaim, key, claim);
    }
    for (const [key, {runs, tokens, idleRuns}] of change.counters ?? []) {
      saveCounters.run(key, runs, tokens, idleRuns);
    }
    for (const [key, workspaces] of change.workspaces ?? []) {
      if (workspaces.length === 0) deleteWorkspaces.run(key);
      else saveWorkspaces.run(key, JSON.stringify(workspaces));
    }
    for (const [key, kept] of change.kept ?? []) {
      if (kept.length === 0) deleteKept.run(key);
      else saveKept.run(key, JSON.stringify(kept));
    }
    if (change.pausedProjects !== undefined) {
      saveFact.run('paused_projects', JSON.stringify(change.pausedProjects));
    }
    if (change.life !== undefined) saveFact.run('life', JSON.stringify(change.life));
    if (change.totals !== undefined) saveFact.run('totals', JSON.stringify(change.totals));
    for (const {at, by, command} of change.actions ?? []) {
      recordAction.run(at, by, JSON.stringify(command));
    }
  }

  return (change) => inTransaction(db, () => write(change));
}

function writeClaim(statement: StatementSyncInstance, key: ClaimKey, claim: Claim): void {
  const run = 'run' in claim ? claim.run : null;
  statement.run(
    key,
    claim.project,
    claim.issue.id,
    claim.issue.identifier,
    claim.is,
    run?.id ?? null,
    run?.process?.pid ?? null,
    claimJson(claim),
  );
}

function begunRow(run: RunBegun): (string | number | null)[] {
  return [run.runId, run.key, run.identifier, run.attempt, run.startedAt, run.host, run.role];
}

function endedRow({usage, results, ...run}: RunEnded): (string | number | null)[] {
  return [
    run.runId,
    run.key,
    run.attempt,
    run.startedAt,
    run.endedAt,
    run.outcome,
    run.failure,
    run.turns,
    usage.input_tokens,
    usage.cached_input_tokens,
    usage.output_tokens,
    usage.reasoning_output_tokens,
    usage.total_tokens,
    results.title,
    results.url,
    results.state,
    results.workspacePath,
    results.model,
    results.made === null ? null : JSON.stringify(results.made),
    JSON.stringify(results.links),
    results.isMeasured ? 0 : 1,
    run.host,
    run.role,
    results.agent,
    results.isPartial ? 1 : 0,
  ];
}
