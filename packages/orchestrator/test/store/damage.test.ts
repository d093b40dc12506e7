import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import {openStore} from '../../src/store/index.ts';
import {repair} from '../../src/store/repair/repair.ts';
import {aClaim, anEnd, reloaded, TemporaryDir, withStore} from './a-store.ts';

const PAGE_BYTES = 4096;
const ids = Array.from({length: 600}, (_, index) => `i${index}`);
const keys = ids.map((id) => `p/${id}`);

/** A store of several hundred pages. */
function fillStore(dir: string): Promise<void> {
  return withStore(dir, (store) => {
    store.save({
      claims: new Map(ids.map((id) => [`p/${id}`, aClaim(id)])),
      counters: new Map(keys.map((key, runs) => [key, {runs, tokens: 1, idleRuns: 0}])),
      runsEnded: ids.map((id, n) => anEnd(`run ${id}`, {key: `p/${id}`, startedAt: n, endedAt: n})),
      pausedProjects: ['p'],
      actions: [{at: 1, by: 'ann', command: {command: 'pause', project: 'p'}}],
    });
  });
}

function overwrite(path: string, page: number, count: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(count * PAGE_BYTES, 0x5a), 0, count * PAGE_BYTES, page * PAGE_BYTES);
  closeSync(file);
}

/** The pages on which the rows of a table are, but not those that lead to them. */
function leavesOf(path: string, table: string): number[] {
  return new DatabaseSync(path, {readOnly: true})
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .all(table)
    .map(({pageno}) => Number(pageno) - 1);
}

test('damaged pages: the file is set aside, and all that is not on them is in the new one', async () => {
  using dir = new TemporaryDir();
  const path = dir.at('symphony.db');
  await fillStore(dir.path);
  const leaves = leavesOf(path, 'claims');
  assert.ok(leaves.length > 50, `claims are on ${leaves.length} pages only`);
  for (const at of [0, 20, 21, 40]) overwrite(path, leaves[at] ?? -1, 1);

  const {store, damage} = openStore(dir.path, {now: () => new Date('2030-01-02T03:04:05Z')});
  await using _closed = store;
  assert.equal(damage?.setAside, `${path}.corrupt-2030-01-02T03-04-05.000Z`);
  assert.notEqual(damage.reason, '');
  const {claims, counters, pausedProjects, unreadable} = store.load();
  assert.deepEqual(unreadable, []);
  assert.deepEqual(damage.salvaged.claims, {rows: claims.size, isComplete: false});
  const perPage = Math.ceil(ids.length / leaves.length) + 1;
  assert.ok(claims.size >= ids.length - 4 * perPage, `only ${claims.size} claims are left`);
  assert.ok(claims.size < ids.length);
  for (const [key, claim] of claims) assert.deepEqual(claim, aClaim(claim.issue.id), key);

  assert.deepEqual([...counters.keys()].sort(), [...claims.keys()].sort());
  assert.deepEqual(damage.salvaged.books, {rows: ids.length, isComplete: true});
  assert.deepEqual(pausedProjects, ['p']);
  assert.equal(store.recentRuns(1000).length, ids.length);
  assert.equal(store.actions(9).length, 1);
  store.save({claims: new Map([['p/new', aClaim('new')]])});
  assert.ok(store.load().claims.has('p/new'));
});

test('the last pages of a table are no less salvaged around', async () => {
  using dir = new TemporaryDir();
  await fillStore(dir.path);
  const leaves = leavesOf(dir.at('symphony.db'), 'claims');
  overwrite(dir.at('symphony.db'), leaves.at(-1) ?? -1, 1);
  const {store, damage} = openStore(dir.path);
  await using _closed = store;
  assert.equal(damage?.salvaged.claims.isComplete, false);
  assert.ok(store.load().claims.size > ids.length - 20);
});

test('what was only in the write-ahead log is salvaged, and the log set aside', async () => {
  using dir = new TemporaryDir();
  using crashed = new TemporaryDir();
  await fillStore(dir.path);
  const {store} = openStore(dir.path);
  await using _closed = store;
  store.save({claims: new Map([['p/late', aClaim('late')]])});
  // As after a kill -9: both files as they are while the store is open.
  for (const name of ['symphony.db', 'symphony.db-wal'])
    copyFileSync(dir.at(name), crashed.at(name));
  overwrite(crashed.at('symphony.db'), leavesOf(dir.at('symphony.db'), 'claims')[20] ?? -1, 1);

  const {store: repaired, damage} = openStore(crashed.path);
  await using _repairedToo = repaired;
  assert.ok(repaired.load().claims.has('p/late'));
  assert.ok(existsSync(`${damage?.setAside}-wal`));
});

test('a file that is no database at all is set aside, and the store begins anew', async () => {
  using dir = new TemporaryDir();
  writeFileSync(dir.at('symphony.db'), 'once upon a time '.repeat(1000));
  const {store, damage} = openStore(dir.path);
  await using _closed = store;
  assert.deepEqual(damage?.salvaged.claims, {rows: 0, isComplete: false});
  assert.equal(statSync(damage.setAside).size, 17_000);
  store.save({claims: new Map([['p/i1', aClaim()]])});
  assert.equal(store.load().claims.size, 1);
});

test('after a repair the store is sound, and what was set aside stays', async () => {
  using dir = new TemporaryDir();
  await fillStore(dir.path);
  overwrite(dir.at('symphony.db'), leavesOf(dir.at('symphony.db'), 'runs')[5] ?? -1, 1);
  {
    const {store, damage} = openStore(dir.path);
    await using _closed = store;
    assert.deepEqual(damage?.salvaged.claims, {rows: ids.length, isComplete: true});
    assert.equal(damage.salvaged.runs.isComplete, false);
  }
  assert.equal((await reloaded(dir.path)).claims.size, ids.length);
  assert.equal(
    readdirSync(dir.path).filter((name) => /corrupt-[^-]+-..-..T[-\d.]+Z$/.test(name)).length,
    1,
  );
});

test('a damaged file of a newer version is not ours to repair', async () => {
  using dir = new TemporaryDir();
  const path = dir.at('symphony.db');
  await fillStore(dir.path);
  const leaf = leavesOf(path, 'claims')[20] ?? -1;
  new DatabaseSync(path).exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
  overwrite(path, leaf, 1);
  assert.throws(() => openStore(dir.path), {name: 'StoreTooNew'});
  assert.deepEqual(
    readdirSync(dir.path).filter((name) => name.includes('corrupt')),
    [],
  );
});

test('a repair cut off before its last steps is finished by the next start', async () => {
  using dir = new TemporaryDir();
  const path = dir.at('symphony.db');
  await fillStore(dir.path);
  const {store} = openStore(dir.path);
  await using _closed = store;
  store.save({counters: new Map([['p/i0', {runs: 99, tokens: 0, idleRuns: 0}]])});
  copyFileSync(`${path}-wal`, dir.at('log'));
  const {setAside} = repair(path, 'for the test', new Date());
  store.save({counters: new Map([['p/i0', {runs: 100, tokens: 0, idleRuns: 0}]])});

  // Back to the moment when the damaged file had left, and neither its log nor the new one had moved.
  renameSync(path, `${path}.rebuilt`);
  renameSync(dir.at('log'), `${path}-wal`);
  const {claims, counters} = await reloaded(dir.path);
  assert.equal(claims.size, ids.length);
  assert.equal(counters.get('p/i0')?.runs, 99);
  assert.ok(existsSync(setAside));
});
