import {join} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import type {World} from '../world.ts';

const TABLES = ['claims', 'books', 'runs', 'facts', 'actions', 'workspaces'];
const WRITES = ['INSERT', 'UPDATE', 'DELETE'];

/**
 * The store cannot be written for a while, and says so as SQLite says it: triggers in the file itself
 * refuse whatever is written, in the middle of a transaction.
 */
function breakStore(world: World): void {
  if (world.life === null || world.ledger.unwritableSince !== null) return;
  world.tell('the store breaks');
  world.ledger.unwritableSince = world.clock.monotonic();
  change(world.life.dir, (name, when) => {
    return `CREATE TRIGGER IF NOT EXISTS ${name} BEFORE ${when} BEGIN
      SELECT RAISE(ABORT, 'the disk is full'); END`;
  });
}

export function breakStoreForAWhile(world: World): void {
  breakStore(world);
  world.after(world.chance.span(500, 600_000), () => mendStore(world));
}

export function mendStore(world: World, dir = world.life?.dir): void {
  if (dir === undefined) return;
  world.tell('the store is whole');
  change(dir, (name) => `DROP TRIGGER IF EXISTS ${name}`);
  world.ledger.unwritableSince = null;
}

function change(dir: string, statement: (name: string, when: string) => string): void {
  const db = new DatabaseSync(join(dir, 'symphony.db'));
  for (const table of TABLES) {
    for (const write of WRITES) {
      db.exec(statement(`refuse_${table}_${write}`.toLowerCase(), `${write} ON ${table}`));
    }
  }
  db.close();
}
