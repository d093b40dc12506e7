import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import {NO_USAGE} from '@symphony-supervisor/protocol';
import {openStore, type StoreChange} from 'symphony-supervisor/store';
import {inTurn, type Measure} from '../measure.ts';

const COMMITS = 300;
const KEY = 'bench/1';

type Claims = NonNullable<StoreChange['claims']>;
type Claim = NonNullable<Claims extends ReadonlyMap<string, infer C> ? C : never>;

/** What is written before an order is carried out: a claim, beside the bare commit of the same row. */
export const storeCost: Measure = {
  name: 'store',
  isGuarded: true,
  take: async ({full}) => {
    const folder = mkdtempSync(join(tmpdir(), 'symphony-bench-store-'));
    const {store} = openStore(join(folder, 'ours'));
    const bare = bareStore(join(folder, 'bare.db'));
    const claims = Array.from({length: COMMITS}, (_, turn) => aClaim(turn));
    try {
      const changes = claims.map((claim) => ({claims: new Map([[KEY, claim]])}));
      const rows = claims.map((claim) => JSON.stringify(claim));
      const {value, floor} = await inTurn(
        full ? 25 : 9,
        async () => perCommit(changes, (change) => store.save(change)),
        async () => perCommit(rows, (row) => bare.commit(row)),
      );
      return [
        {
          measure: 'write-ahead of one event in the store',
          value: {amount: value, unit: 'µs'},
          floor: {amount: floor, unit: 'µs'},
          aim: {is: 'times', atMost: 2},
        },
      ];
    } finally {
      await store[Symbol.asyncDispose]();
      bare.close();
      rmSync(folder, {recursive: true, force: true});
    }
  },
};

function perCommit<T>(all: readonly T[], commit: (one: T) => void): number {
  const startedAt = performance.now();
  for (const one of all) commit(one);
  return ((performance.now() - startedAt) * 1000) / COMMITS;
}

/** The same durability, the same columns, and nothing else. */
function bareStore(path: string) {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  db.exec(
    `CREATE TABLE claims (key TEXT PRIMARY KEY, project TEXT, issue_id TEXT, identifier TEXT,
     kind TEXT, run_id TEXT, pid INTEGER, claim TEXT)`,
  );
  const insert = db.prepare('INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  return {
    commit(claim: string): void {
      db.exec('BEGIN IMMEDIATE');
      insert.run(KEY, 'bench', '1', 'B-1', 'running', 'run-1', 1234, claim);
      db.exec('COMMIT');
    },
    close: () => db.close(),
  };
}

function aClaim(turn: number): Claim {
  const issue = {
    ...{id: '1', identifier: 'B-1', title: 'An issue', description: 'x'.repeat(400), priority: 1},
    ...{state: 'Todo', branch_name: null, url: null, assignee_id: null, labels: ['agent']},
    ...{blocked_by: [], dispatchable: true, native_ref: null, created_at: null, updated_at: null},
  };
  const run = {
    ...{id: 'run-1', host: 'local', attempt: null, retry: null, lastError: null, conflicts: 0},
    ...{counts: true, startedAt: 1, turn, isMeasured: true, usage: NO_USAGE},
    ...{process: {pid: 1234, startedAt: '1'}, agentPid: 1235, sessionId: 'thread-turn'},
    ...{lastHeardAt: 1, signsOfLife: turn, heartbeatAt: 1, lastEvent: 'notification'},
    ...{lastMessage: 'Reading the tests.', lastEventAt: 1, callsUnderWay: 0, movedTo: null},
    ...{phase: 'streaming_turn' as const, step: 'live' as const, result: null, role: 'worker'},
  };
  return {
    ...{is: 'running', project: 'bench', scope: 0, issue, failures: 0, threadFailures: 0, run},
    ...{
      thread: null,
      workspace: {host: 'local', path: '/srv/workspaces/B-1'},
      readAt: 0,
      messages: [],
    },
    ...{undelivered: null, authorRole: 'worker'},
  };
}
