import {Usage} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';
import {$ZodError} from 'zod/v4/core';
import type {Book, Claim, ClaimKey} from '../core/claim.ts';
import type {Totals} from '../core/state.ts';
import type {Agree} from './agree.ts';
import {parseClaim} from './claim-schema.ts';
import type {Database} from './database.ts';

/** What the former life of the supervisor left. */
export interface Loaded {
  readonly claims: ReadonlyMap<ClaimKey, Claim>;
  readonly books: ReadonlyMap<ClaimKey, Book>;
  readonly workspaces: ReadonlyMap<ClaimKey, readonly string[]>;
  readonly pausedProjects: readonly string[];
  /** null in a new store, here and below. */
  readonly totals: Totals | null;
  /** What the ids of its runs and of its small jobs begin with. */
  readonly life: string | null;
  readonly unreadable: readonly UnreadableRow[];
}

/** A row that says nothing to us. What it names can still be looked for and ended. */
export interface UnreadableRow {
  readonly table: 'claims' | 'workspaces' | 'facts';
  readonly key: string;
  readonly runId: string | null;
  readonly pid: number | null;
  readonly reason: string;
}

const ClaimRow = z.object({
  key: z.string(),
  run_id: z.nullable(z.string()),
  pid: z.nullable(z.number()),
  claim: z.string(),
});
const BookRow = z.object({
  key: z.string(),
  runs: z.number(),
  tokens: z.number(),
  idle_runs: z.number(),
});
const WorkspacesRow = z.object({key: z.string(), paths: z.string()});
const FactRow = z.object({name: z.string(), value: z.string()});

const TotalsSchema = z.object({usage: Usage, secondsRunning: z.number()});

export function load(db: Database): Loaded {
  const claims = new Map<ClaimKey, Claim>();
  const books = new Map<ClaimKey, Book>();
  const workspaces = new Map<ClaimKey, readonly string[]>();
  const unreadable: UnreadableRow[] = [];

  for (const row of db.prepare('SELECT key, run_id, pid, claim FROM claims ORDER BY rowid').all()) {
    const {key, run_id: runId, pid, claim} = ClaimRow.parse(row);
    try {
      claims.set(key, parseClaim(JSON.parse(claim)));
    } catch (error) {
      unreadable.push({table: 'claims', key, runId, pid, reason: reasonOf(error)});
    }
  }
  for (const row of db.prepare('SELECT key, runs, tokens, idle_runs FROM books').all()) {
    const {key, runs, tokens, idle_runs: idleRuns} = BookRow.parse(row);
    books.set(key, {runs, tokens, idleRuns});
  }

  for (const row of db.prepare('SELECT key, paths FROM workspaces').all()) {
    const {key, paths} = WorkspacesRow.parse(row);
    try {
      workspaces.set(key, z.array(z.string()).parse(JSON.parse(paths)));
    } catch (error) {
      unreadable.push({table: 'workspaces', key, runId: null, pid: null, reason: reasonOf(error)});
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
      unreadable.push({table: 'facts', key: name, runId: null, pid: null, reason});
      return null;
    }
  }
  const pausedProjects = fact('paused_projects', (value) => z.array(z.string()).parse(value)) ?? [];
  const totals = fact('totals', parseTotals);
  const life = fact('life', (value) => z.string().parse(value));
  return {claims, books, workspaces, pausedProjects, totals, life, unreadable};
}

function reasonOf(error: unknown): string {
  // Not by way of `z.core`: to a bundler that names all of the library, with its 60 languages.
  if (error instanceof $ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

function parseTotals(value: unknown): Agree<Totals, z.infer<typeof TotalsSchema>, Totals> {
  return TotalsSchema.parse(value);
}
