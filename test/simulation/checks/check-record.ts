import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import type {State} from 'symphony-supervisor/core';
import type {Claim} from '../../../packages/orchestrator/src/core/claim.ts';

type Db = InstanceType<typeof DatabaseSync>;
type Fail = (problem: string) => void;

/** What another finds in the file, while somebody has it open. */
export function readStore<T>(dir: string, read: (db: Db) => T): T {
  const db = new DatabaseSync(join(dir, 'symphony.db'), {readOnly: true});
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Written before it is acted upon. */
export function isOnRecord(dir: string, runId: string): boolean {
  const open = 'SELECT 1 FROM runs WHERE run_id = ? AND ended_at IS NULL';
  return readStore(dir, (db) => db.prepare(open).get(runId) !== undefined);
}

/** An operator's order is, with who gave it. */
export function isNoted(dir: string, key: string, command: string): boolean {
  const last = 'SELECT by, command FROM actions ORDER BY id DESC LIMIT 1';
  const row = readStore(dir, (db) => db.prepare(last).get()) as Record<string, string> | undefined;
  const noted = JSON.parse(row?.command ?? '{}') as Record<string, unknown>;
  return row?.by === 'operator' && noted.key === key && noted.command === command;
}

/**
 * All that was decided before the step in which a life was killed is in its file. Of what changed in that
 * step, and was perhaps not written, nothing is said.
 */
export function checkRecord(dir: string, before: State, atLast: State, fail: Fail): void {
  const {claims, counters, paused} = readStore(dir, (db) => ({
    claims: rowsOf(db, 'SELECT key, claim AS value FROM claims'),
    counters: rowsOf(db, 'SELECT key, runs AS value FROM books'),
    paused: rowsOf(db, "SELECT name AS key, value FROM facts WHERE name = 'paused_projects'"),
  }));
  for (const key of new Set([...before.claims.keys(), ...atLast.claims.keys(), ...claims.keys()])) {
    const claim = atLast.claims.get(key);
    if (before.claims.get(key) !== claim) continue;
    const row = claims.get(key);
    const found = row === undefined ? undefined : (JSON.parse(String(row)) as Claim);
    if (gist(claim) !== gist(found)) {
      fail(`${key} is ${gist(claim)}, and on record as ${gist(found)}`);
    }
  }
  for (const [key, counted] of atLast.counters) {
    const runs = counters.get(key);
    if (before.counters.get(key) !== counted || counted.runs === Number(runs ?? 0)) continue;
    fail(`${key} has had ${counted.runs} runs, and ${runs} on record`);
  }
  const [names, former] = [atLast, before].map((state) => pausedIn(state).join());
  const known = (JSON.parse(String(paused.get('paused_projects') ?? '[]')) as string[]).join();
  if (names === former && names !== known) fail(`${names} is paused, and on record is ${known}`);
}

function rowsOf(db: Db, query: string): Map<string, unknown> {
  const rows = db.prepare(query).all() as {key: string; value: unknown}[];
  return new Map(rows.map(({key, value}) => [key, value]));
}

function pausedIn({projects}: State): string[] {
  return [...projects.values()].filter(({isPaused}) => isPaused).map(({name}) => name);
}

/** All but an agent's progress, which is written a little later. */
function gist(claim: Claim | undefined): string {
  switch (claim?.is) {
    case undefined:
      return 'released';
    case 'running':
      return `running as ${claim.run.id}, attempt ${claim.run.attempt}, ${claim.run.step}`;
    case 'stopping':
      return `stopping ${claim.run?.id}, ${claim.step}, then ${claim.next.do}`;
    case 'retrying':
      return `retrying ${claim.kind} ${claim.attempt} at ${claim.dueAt} ${claim.messages.map(({id}) => id)}`;
    case 'held':
      return `held for ${claim.because.code}: ${claim.question}`;
    case 'dismissed':
      return `dismissed at ${claim.since}, ${claim.isRead ? 'read' : 'unread'}`;
  }
}
