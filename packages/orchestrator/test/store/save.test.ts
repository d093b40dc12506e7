import assert from 'node:assert/strict';
import {rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import fc from 'fast-check';
import {isRoot, Mount} from '../../../../test/rig/mount.ts';
import type {Claim} from '../../src/core/claim.ts';
import {openStore, type StoreObservation} from '../../src/store/index.ts';
import {aClaim, anEnd, anIssue, reloaded, TemporaryDir, withStore} from './a-store.ts';
import {anyClaim} from './any-claim.ts';

test('a save of which one statement fails leaves nothing, and the next one works', async () => {
  using dir = new TemporaryDir();
  const {store} = openStore(dir.path);
  await using _closed = store;
  store.save({claims: new Map([['p/a', aClaim('a', 1)]])});
  const change = {
    runsEnded: [anEnd('r1')],
    claims: new Map<string, Claim | null>([
      ['p/a', null],
      ['p/b', aClaim('b')],
    ]),
    pausedProjects: ['p'],
  };
  const actions = [{at: 1.5, by: 'ann', command: {command: 'pause', project: null}}] as const;
  assert.throws(() => store.save({...change, actions}), {
    name: 'StoreFailure',
    code: 'store_failed',
  });
  assert.deepEqual([...store.load().claims.keys()], ['p/a']);
  assert.deepEqual(store.load().pausedProjects, []);
  assert.deepEqual(store.recentRuns(9), []);

  store.save(change);
  assert.deepEqual([...store.load().claims.keys()], ['p/b']);
});

test('a run can be found by its row alone', async () => {
  using dir = new TemporaryDir();
  const [claim] = fc.sample(anyClaim.running, 1);
  assert.ok(claim);
  const running = {
    ...claim,
    issue: anIssue('i1'),
    run: {...claim.run, id: 'r1', process: {pid: 77, startedAt: 'then'}},
  };
  await withStore(dir.path, (store) => store.save({claims: new Map([['p/i1', running]])}));
  const row = new DatabaseSync(dir.at('symphony.db'))
    .prepare('SELECT kind, issue_id, identifier, run_id, pid FROM claims')
    .get();
  assert.deepEqual(Object.values(row), ['running', 'i1', 'AB-i1', 'r1', 77]);
});

test('the same change saved twice is there once', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    const run = {
      ...{key: 'p/a', runId: 'r1', host: 'local', identifier: 'A'},
      ...{role: 'judge', attempt: 1, startedAt: 1},
    };
    const change = {claims: new Map([['p/a', aClaim('a')]]), runsBegun: [run]};
    store.save(change);
    store.save(change);
    assert.equal(store.openRuns().length, 1);
    store.save({runsEnded: [anEnd('r1')]});
    store.save({...change, runsEnded: [anEnd('r1')]});
    assert.equal(store.openRuns().length, 0);
    assert.equal(store.recentRuns(9).length, 1);
  });
});

test('a claim whose row cannot be read is reported with what is known of it', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) =>
    store.save({
      claims: new Map(['a', 'b', 'c'].map((id) => [`p/${id}`, aClaim(id)])),
      pausedProjects: ['p'],
    }),
  );
  new DatabaseSync(dir.at('symphony.db')).exec(`
    UPDATE claims SET claim = '{"is":"asleep"}', run_id = 'r7' WHERE key = 'p/b';
    UPDATE claims SET claim = '{' WHERE key = 'p/c';
    UPDATE facts SET value = '7'`);
  const {claims, pausedProjects, unreadable} = await reloaded(dir.path);
  assert.deepEqual([...claims.keys()], ['p/a']);
  assert.deepEqual(pausedProjects, []);
  assert.deepEqual(
    unreadable.map(({table, key, text, claim}) => [
      table,
      key,
      text,
      claim?.identifier,
      claim?.runId,
    ]),
    [
      ['claims', 'p/b', '{"is":"asleep"}', 'AB-b', 'r7'],
      ['claims', 'p/c', '{', 'AB-c', null],
      ['facts', 'paused_projects', '7', undefined, undefined],
    ],
  );
  for (const {reason} of unreadable) assert.notEqual(reason, '');
});

test('a full disk loses nothing, and when there is room again the same save works', {
  skip: isRoot ? false : 'a small file system of its own needs root',
}, async () => {
  using dir = new TemporaryDir();
  using _mount = Mount.small(dir.path, 512);
  const {store} = openStore(dir.path);
  await using _closed = store;
  store.save({claims: new Map([['p/a', aClaim('a')]])});
  fill(dir.at('filler'));

  const workspace = {host: 'local', path: 'x'.repeat(50_000)};
  const change = {claims: new Map([['p/b', {...aClaim('b'), workspace}]])};
  assert.throws(() => store.save(change), {name: 'StoreFailure', code: 'store_full'});
  assert.deepEqual([...store.load().claims.keys()], ['p/a']);

  rmSync(dir.at('filler'));
  store.save(change);
  assert.deepEqual([...store.load().claims.keys()], ['p/a', 'p/b']);
});

function fill(path: string): void {
  assert.throws(() => {
    for (;;) writeFileSync(path, Buffer.alloc(4096), {flag: 'a'});
  }, /ENOSPC/);
}

test('each save is observed with its duration, a failed one too', async () => {
  using dir = new TemporaryDir();
  const seen: StoreObservation[] = [];
  const {store} = openStore(dir.path, {observe: (what) => seen.push(what)});
  await using _closed = store;
  store.save({});
  assert.throws(() => store.save({runsEnded: [anEnd('r1', {turns: 0.5})]}));
  const known = seen.map((what) => ('ok' in what ? [what.is, what.ok] : [what.is]));
  assert.deepEqual(known, [
    ['save-begun'],
    ['save-ended', true],
    ['save-begun'],
    ['save-ended', false],
  ]);
  for (const what of seen) if ('durationMs' in what) assert.ok(what.durationMs >= 0);
});
