import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import type {Claim} from '../../src/core/claim.ts';
import {openStore} from '../../src/store/index.ts';
import {aClaim, reloaded, TemporaryDir, tokens, withStore} from './a-store.ts';
import {anyClaim} from './any-claim.ts';

for (const [kind, claims] of Object.entries(anyClaim)) {
  test(`any ${kind} claim is loaded as it was saved`, async () => {
    using dir = new TemporaryDir();
    const {store} = openStore(dir.path);
    await using _closed = store;
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        store.save({claims: new Map([['p/i1', claim]])});
        const {claims, unreadable} = store.load();
        assert.deepEqual(unreadable, []);
        assert.deepEqual(plain(claims.get('p/i1')), plain(claim));
      }),
    );
  });
}

/** Generated records have no prototype, parsed ones have: that is no difference. */
function plain(value: unknown): unknown {
  return structuredClone(value);
}

const KEPT = {reason: '1 commit not pushed', since: 7, isDiscarded: false};

test('claims, counters, pauses and totals are there in the next life', async () => {
  using dir = new TemporaryDir();
  const claims = new Map([
    ['p/a', aClaim('a')],
    ['p/b', aClaim('b')],
  ]);
  const counters = new Map([['p/a', {runs: 3, tokens: 2 ** 40, idleRuns: 1}]]);
  const workspaces = new Map([
    [
      'p/gone',
      [
        {host: 'far', path: '/old/root/gone'},
        {host: 'local', path: '/root/gone'},
      ],
    ],
  ]);
  const kept = new Map([
    ['p/gone', [{issue: aClaim('gone').issue, host: 'local', path: '/root/gone', ...KEPT}]],
    [
      'p/discarded',
      [{issue: aClaim('d').issue, host: 'far', path: '/d', ...KEPT, isDiscarded: true}],
    ],
  ]);
  const totals = {usage: tokens(9), secondsRunning: 1.5};
  await withStore(dir.path, (store) =>
    store.save({
      ...{claims, counters, workspaces, kept, totals, life: 'abc'},
      pausedProjects: ['q', 'p'],
    }),
  );
  assert.deepEqual(await reloaded(dir.path), {
    claims,
    counters,
    workspaces,
    kept,
    pausedProjects: ['q', 'p'],
    totals,
    life: 'abc',
    unreadable: [],
    everUnreadable: new Set(),
  });
});

test('a released claim is gone, its counters and what a change does not name stay', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    store.save({claims: new Map([['p/a', aClaim('a')]]), pausedProjects: ['p']});
    store.save({counters: new Map([['p/a', {runs: 1, tokens: 2, idleRuns: 0}]])});
    store.save({claims: new Map([['p/a', null]])});
    assert.deepEqual(store.countersOf('p/a'), {runs: 1, tokens: 2, idleRuns: 0});
    assert.deepEqual(store.countersOf('p/b'), {runs: 0, tokens: 0, idleRuns: 0});
  });
  const loaded = await reloaded(dir.path);
  assert.equal(loaded.claims.size, 0);
  assert.equal(loaded.counters.size, 0, 'counters of unclaimed issues are read when needed');
  assert.deepEqual(loaded.pausedProjects, ['p']);
});

test('a new store is empty', async () => {
  using dir = new TemporaryDir();
  const {claims, counters, pausedProjects, totals} = await reloaded(dir.path);
  assert.deepEqual([claims.size, counters.size, pausedProjects, totals], [0, 0, [], null]);
});
