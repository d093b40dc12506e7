import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import fc from 'fast-check';
import type {Claim} from '../../packages/orchestrator/src/core/claim.ts';
import {resumed} from '../../packages/orchestrator/src/core/life/resume.ts';
import {emptyState} from '../../packages/orchestrator/src/core/state.ts';
import {claimJson, parseClaim} from '../../packages/orchestrator/src/store/claims/claim-schema.ts';
import {openStore} from '../../packages/orchestrator/src/store/index.ts';
import {anIssue, aResult, Table} from '../../packages/orchestrator/test/core/builders.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {OPTIONS, RUNS} from './runs.ts';
import {spoiled} from './spoil.ts';

/** One claim of each kind, as the core makes them. */
function claims(): Claim[] {
  const kept: Claim[] = [];
  const keep = (table: Table) => kept.push(table.claim() ?? assert.fail());
  const running = () => {
    const table = new Table();
    table.project({}, [anIssue()]);
    table.starts(anIssue());
    return table;
  };
  keep(running());
  const stopping = running();
  stopping.ends(aResult());
  keep(stopping);
  stopping.reads(anIssue());
  keep(stopping);
  const held = running();
  const failure = {code: 'turn_input_required', message: 'which?'} as const;
  held.ends(aResult({outcome: 'input_required', failure, question: 'Which?'}));
  held.reads(anIssue());
  keep(held);
  return kept;
}

const CLAIMS = claims();
/** As the store has them. */
const STORED: unknown[] = CLAIMS.map((claim) => JSON.parse(claimJson(claim)));

test('any stored claim is one that can be gone on with, or is refused', () => {
  assert.deepEqual(
    CLAIMS.map(({is}) => is),
    ['running', 'stopping', 'retrying', 'held'],
  );
  fc.assert(
    fc.property(spoiled(STORED), (value) => {
      let claim: Claim;
      try {
        claim = parseClaim(value);
      } catch (error) {
        assert.equal((error as Error).constructor.name, '$ZodError');
        return;
      }
      const state = resumed(emptyState('life'), new Map([['p/1', claim]]), 1_000);
      assert.equal(state.claims.size, 1);
    }),
    OPTIONS,
  );
});

test('a store with any text in its rows opens, and says which rows it could not read', async () => {
  await using folder = await aFolder();
  const text = fc.oneof(
    spoiled(STORED).map((value) => JSON.stringify(value) ?? ''),
    fc.string({unit: 'binary', maxLength: 60}),
  );
  {
    const {store} = openStore(folder.path);
    await using _closed = store;
    store.save({claims: new Map(CLAIMS.map((claim, at) => [`p/${at}`, claim]))});
  }
  const db = new DatabaseSync(join(folder.path, 'symphony.db'));
  const write = db.prepare('UPDATE claims SET claim = ? WHERE key = ?');
  await fc.assert(
    fc.asyncProperty(text, fc.nat(CLAIMS.length - 1), async (row, at) => {
      write.run(row, `p/${at}`);
      const {store, damage} = openStore(folder.path);
      await using _closed = store;
      assert.equal(damage, null);
      const {claims: read, unreadable} = store.load();
      assert.equal(read.size + unreadable.length, CLAIMS.length);
    }),
    {...OPTIONS, numRuns: Math.min(RUNS, 5_000)},
  );
  db.close();
});
