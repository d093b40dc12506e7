import {Issue, Usage} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {$ZodError} from 'zod/v4/core';
import {
  type Claim,
  type ClaimKey,
  type Counters,
  LOCAL_HOST,
  NO_COUNTERS,
  type Workspace,
} from '../core/claim.ts';
import type {Kept} from '../core/life/kept.ts';
import type {Totals} from '../core/state.ts';
import type {Agree} from './claims/agree.ts';
import {parseClaim} from './claims/claim-schema.ts';
import type {Database} from './database.ts';

/** What the previous supervisor process left in the store. */
export interface Loaded {
  readonly claims: ReadonlyMap<ClaimKey, Claim>;
  /** Counters of claimed issues. */
  readonly counters: ReadonlyMap<ClaimKey, Counters>;
  readonly workspaces: ReadonlyMap<ClaimKey, readonly Workspace[]>;
  readonly kept: ReadonlyMap<ClaimKey, readonly Kept[]>;
  readonly pausedProjects: readonly string[];
  /** null in a new store, here and below. */
  readonly totals: Totals | null;
  /** The prefix of its run ids and small-job ids. */
  readonly life: string | null;
  readonly unreadable: readonly UnreadableRow[];
  /** Issues whose claim could not be read, now or by an earlier start. */
  readonly everUnreadable: ReadonlySet<ClaimKey>;
}

/** A row that this version cannot read. */
export interface UnreadableRow {
  readonly table: 'claims' | 'workspaces' | 'kept' | 'facts';
  readonly key: string;
  readonly reason: string;
  readonly text: string;
  /** What the columns beside the JSON say: enough to end its processes and to hold its issue. */
  readonly claim: UnreadableClaim | null;
}

export interface UnreadableClaim {
  readonly project: string;
  readonly issueId: string;
  readonly identifier: string;
  readonly runId: string | null;
}

const ClaimRow = z.object({
  key: z.string(),
  project: z.string(),
  issue_id: z.string(),
  identifier: z.string(),
  run_id: z.nullable(z.string()),
  claim: z.string(),
});
const CountersRow = z.object({
  key: z.string(),
  runs: z.number(),
  tokens: z.number(),
  idle_runs: z.number(),
});
const KeyRow = z.object({key: z.string()});
const WorkspacesRow = z.object({key: z.string(), paths: z.string()});
const KeptRow = z.object({key: z.string(), workspaces: z.string()});
const FactRow = z.object({name: z.string(), value: z.string()});

/** Before version 5 of the store a workspace was its path alone: there was no other host. */
const WorkspacesSchema = z.array(
  z.union([
    z.object({host: z.string(), path: z.string()}),
    z.pipe(
      z.string(),
      z.transform((path: string) => ({host: LOCAL_HOST, path})),
    ),
  ]),
);

const KeptSchema = z.readonly(
  z.array(
    z.object({
      issue: Issue,
      host: z._default(z.string(), LOCAL_HOST),
      ...{path: z.string(), reason: z.string(), since: z.number(), isDiscarded: z.boolean()},
    }),
  ),
);

const TotalsSchema = z.object({usage: Usage, secondsRunning: z.number()});

export function load(db: Database): Loaded {
  const claims = new Map<ClaimKey, Claim>();
  const counters = new Map<ClaimKey, Counters>();
  const workspaces = new Map<ClaimKey, readonly Workspace[]>();
  const unreadable: UnreadableRow[] = [];

  for (const row of db.prepare('SELECT * FROM claims ORDER BY rowid').all()) {
    const {key, claim: text, ...rest} = ClaimRow.parse(row);
    try {
      claims.set(key, parseClaim(JSON.parse(text)));
    } catch (error) {
      const {project, issue_id: issueId, identifier, run_id: runId} = rest;
      const claim = {project, issueId, identifier, runId};
      unreadable.push({table: 'claims', key, reason: reasonOf(error), text, claim});
    }
  }
  for (const row of db.prepare(`${COUNTERS} WHERE key IN (SELECT key FROM claims)`).all()) {
    const [key, value] = countersOfRow(row);
    counters.set(key, value);
  }

  for (const row of db.prepare('SELECT key, paths FROM workspaces').all()) {
    const {key, paths} = WorkspacesRow.parse(row);
    try {
      workspaces.set(key, WorkspacesSchema.parse(JSON.parse(paths)));
    } catch (error) {
      const reason = reasonOf(error);
      unreadable.push({table: 'workspaces', key, reason, text: paths, claim: null});
    }
  }

  const kept = new Map<ClaimKey, readonly Kept[]>();
  for (const row of db.prepare('SELECT key, workspaces FROM kept').all()) {
    const {key, workspaces: text} = KeptRow.parse(row);
    try {
      kept.set(key, parseKept(JSON.parse(text)));
    } catch (error) {
      unreadable.push({table: 'kept', key, reason: reasonOf(error), text, claim: null});
    }
  }

  const facts = new Map<string, string>();
  for (const row of db.prepare('SELECT name, value FROM facts').all()) {
    const {name, value} = FactRow.parse(row);
    facts.set(name, value);
  }
  function fact<T>(name: string, parse: (value: unknown) => T): T | null {
    const value = facts.get(name);
    if (value === undefined) return null;
    try {
      return parse(JSON.parse(value));
    } catch (error) {
      const reason = reasonOf(error);
      unreadable.push({table: 'facts', key: name, reason, text: value, claim: null});
      return null;
    }
  }
  const pausedProjects = fact('paused_projects', (value) => z.array(z.string()).parse(value)) ?? [];
  const totals = fact('totals', parseTotals);
  const life = fact('life', (value) => z.string().parse(value));
  const set = db.prepare("SELECT key FROM unreadable WHERE source = 'claims'").all();
  const now = unreadable.filter(({table}) => table === 'claims');
  const everUnreadable = new Set([...set, ...now].map((row) => KeyRow.parse(row).key));
  return {
    ...{claims, counters, workspaces, kept, pausedProjects, totals, life},
    ...{unreadable, everUnreadable},
  };
}

const COUNTERS = 'SELECT key, runs, tokens, idle_runs FROM books';

/** An issue without a row has zeros. */
export function countersOf(db: Database, key: ClaimKey): Counters {
  const row: unknown = db.prepare(`${COUNTERS} WHERE key = ?`).get(key);
  return row === undefined ? NO_COUNTERS : countersOfRow(row)[1];
}

function countersOfRow(row: unknown): [ClaimKey, Counters] {
  const {key, runs, tokens, idle_runs: idleRuns} = CountersRow.parse(row);
  return [key, {runs, tokens, idleRuns}];
}

function reasonOf(error: unknown): string {
  // Not via `z.core`: a bundler would include the whole library with its 60 locales.
  if (error instanceof $ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

function parseTotals(value: unknown): Agree<Totals, z.infer<typeof TotalsSchema>, Totals> {
  return TotalsSchema.parse(value);
}

function parseKept(
  value: unknown,
): Agree<readonly Kept[], z.infer<typeof KeptSchema>, readonly Kept[]> {
  return KeptSchema.parse(value);
}
