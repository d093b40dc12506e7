import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import type {State} from 'symphony-supervisor/core';

export type Claim = State['claims'] extends ReadonlyMap<string, infer C> ? C : never;

export interface RunRow {
  readonly run_id: string;
  readonly key: string;
  readonly attempt: number | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly outcome: string | null;
  readonly failure: string | null;
  readonly turns: number;
}

export interface StoreContent {
  readonly claims: ReadonlyMap<string, Claim>;
  readonly runs: readonly RunRow[];
  readonly books: ReadonlyMap<string, {readonly runs: number; readonly tokens: number}>;
}

/** What is on record just now, read beside whoever writes it. */
export function readStore(folder: string): StoreContent {
  return withStore(folder, (all) => {
    const claims = all<{key: string; claim: string}>('SELECT key, claim FROM claims');
    const books = all<{key: string; runs: number; tokens: number}>('SELECT * FROM books');
    return {
      claims: new Map(claims.map(({key, claim}) => [key, JSON.parse(claim)])),
      runs: all('SELECT * FROM runs ORDER BY started_at, rowid'),
      books: new Map(books.map(({key, ...book}) => [key, book])),
    };
  });
}

/** Whether an order is on record. */
export function hasOrder(folder: string, command: string): boolean {
  return withStore(folder, (all) => {
    const orders = all<{command: string}>('SELECT command FROM actions');
    return orders.some((order) => JSON.parse(order.command).command === command);
  });
}

/** Whether SQLite itself finds nothing wrong with the file. */
export function isSound(folder: string): boolean {
  return withStore(folder, (all) => {
    const [check] = all<{integrity_check: string}>('PRAGMA integrity_check');
    return check?.integrity_check === 'ok';
  });
}

type All = <Row>(sql: string) => Row[];

function withStore<T>(folder: string, look: (all: All) => T): T {
  const path = join(folder, '.symphony/symphony.db');
  const db = new DatabaseSync(path, {readOnly: true, timeout: 5_000});
  try {
    return look(<Row>(sql: string) => db.prepare(sql).all() as Row[]);
  } finally {
    db.close();
  }
}
