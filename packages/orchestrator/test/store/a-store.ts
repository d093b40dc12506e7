import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Issue, NO_USAGE, type Usage} from '@symphony-supervisor/protocol';
import {anIssue as anyIssue} from '../../../../test/rig/fixtures/issue.ts';
import type {Claim} from '../../src/core/claim.ts';
import type {RunEnded} from '../../src/core/effect.ts';
import {NO_RESULTS} from '../../src/core/run/results.ts';
import {type Loaded, openStore, type Store} from '../../src/store/index.ts';

/** A folder that is gone at the end of the scope. */
export class TemporaryDir implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'store-'));

  at(...names: string[]): string {
    return join(this.path, ...names);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, {recursive: true, force: true});
  }
}

/** Opens a sound store, uses it, closes it. */
export async function withStore<T>(dir: string, use: (store: Store) => T): Promise<T> {
  const {store, damage} = openStore(dir);
  if (damage !== null) throw new Error(`the store is damaged: ${damage.reason}`);
  await using _closed = store;
  return use(store);
}

/** What a new life of the supervisor would find. */
export function reloaded(dir: string): Promise<Loaded> {
  return withStore(dir, (store) => store.load());
}

export function anIssue(id = 'i1'): Issue {
  return anyIssue({id, identifier: `AB-${id}`});
}

export function aClaim(id = 'i1', failures = 0): Claim {
  return {
    is: 'held',
    project: 'p',
    issue: anIssue(id),
    authorRole: 'worker',
    failures,
    threadFailures: 0,
    thread: null,
    scope: 0,
    workspace: null,
    readAt: 0,
    messages: [],
    undelivered: null,
    because: {code: 'limit_runs', message: 'Too many.'},
    question: null,
    since: 1,
    stateThen: 'Todo',
  };
}

export function tokens(total: number): Usage {
  return {...NO_USAGE, input_tokens: total, total_tokens: total};
}

export function anEnd(runId: string, over: Partial<RunEnded> = {}): RunEnded {
  return {
    key: 'p/i1',
    runId,
    host: 'local',
    role: 'worker',
    attempt: null,
    startedAt: 1_000,
    endedAt: 2_000,
    outcome: 'succeeded',
    failure: null,
    turns: 3,
    usage: tokens(10),
    results: NO_RESULTS,
    ...over,
  };
}
