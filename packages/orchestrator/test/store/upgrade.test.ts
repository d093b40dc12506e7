import assert from 'node:assert/strict';
import {closeSync, openSync, readdirSync, writeFileSync, writeSync} from 'node:fs';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import type {Claim} from '../../src/core/claim.ts';
import {schemaVersion} from '../../src/store/database.ts';
import {openStore, StoreTooNew} from '../../src/store/index.ts';
import {MIGRATIONS} from '../../src/store/upgrade/migrations.ts';
import {reloaded, TemporaryDir, withStore} from './a-store.ts';
import {RECORDED, restoreStore} from './recorded/restore.ts';

const FOLDER = '/srv/work';

test('there is a recorded store of every version but the current one', () => {
  const former = MIGRATIONS.slice(1).map((_, index) => index + 1);
  assert.deepEqual(
    RECORDED.filter((version) => version < MIGRATIONS.length),
    former,
  );
});

for (const version of RECORDED) {
  test(`a store of version ${version}: every claim is there, in the form of today`, async () => {
    using dir = new TemporaryDir();
    restoreStore(version, dir.path, FOLDER);
    const {claims, unreadable, everUnreadable} = await reloaded(dir.path);
    assert.deepEqual([unreadable, [...everUnreadable]], [[], []]);
    assert.deepEqual(Object.fromEntries([...claims].map(([key, claim]) => [key, told(claim)])), {
      'p/T-running': 'running live, turn 1',
      'p/T-failed': 'retrying failure 1, port_exit: the agent process ended with exit code 1',
      'p/T-asked': 'held turn_input_required: Which colour?',
      'p/T-limit': 'held limit_tokens: null',
      'p/T-stopped': 'stopping runner, then hold',
      'p/T-finishing': 'stopping finishing, then retry',
      'p/T-cleaning': 'stopping cleaning, then clean',
      'q/T-continued': 'retrying continuation 1, null',
      'q/T-message': 'retrying continuation 1, null, Blue, like the sky.',
    });
    for (const [key, claim] of claims) {
      const {thread, workspace} = claim;
      const path = `${FOLDER}/${key.replace('/', '/workspaces/')}`;
      assert.deepEqual([thread?.workspace_path, thread?.turns], [path, 1]);
      assert.ok(thread !== null && thread.usage.total_tokens > 0, `${key} has its usage`);
      assert.deepEqual(workspace, {host: 'local', path});
      if ('run' in claim && claim.run !== null) {
        assert.deepEqual([claim.run.host, claim.run.role], ['local', 'worker']);
      }
      assert.deepEqual(
        [thread?.agent, thread?.role, claim.authorRole],
        ['codex', 'worker', 'worker'],
      );
      assert.deepEqual([thread?.phase, thread?.tools_digest], [null, null]);
    }
  });

  test(`a store of version ${version}: counters, workspaces, history, actions and pauses are there`, async () => {
    using dir = new TemporaryDir();
    restoreStore(version, dir.path, FOLDER);
    await withStore(dir.path, (store) => {
      const {counters, workspaces, kept, pausedProjects, totals, life} = store.load();
      assert.deepEqual(counters.get('p/T-limit'), {runs: 1, tokens: 2_000_000, idleRuns: 0});
      assert.deepEqual(store.countersOf('p/T-done'), {runs: 1, tokens: 2100, idleRuns: 0});
      // From version 4 on, the workspace of an issue that is over is kept with its work.
      assert.equal(workspaces.size, version < 4 ? 9 : 10);
      for (const {host, path} of [...workspaces.values(), ...kept.values()].flat()) {
        assert.equal(host, 'local');
        assert.ok(path.startsWith(FOLDER));
      }
      assert.deepEqual(pausedProjects, ['q']);
      assert.match(life ?? '', /^\w+$/);
      const runs = store.recentRuns(100);
      assert.equal(runs.length, 8);
      assert.deepEqual(new Set(runs.map(({role}) => role)), new Set(['worker']));
      assert.ok([...runs, ...store.openRuns()].every(({host}) => host === 'local'));
      // What a killed runner had told of its tokens differs from one recording to the next.
      const tokens = runs.reduce((sum, {usage}) => sum + usage.total_tokens, 0);
      assert.ok(tokens > 2_000_000);
      assert.equal(totals?.usage.total_tokens, tokens);
      assert.deepEqual(
        store.openRuns().map(({key}) => key),
        ['p/T-running', 'p/T-stopped'],
      );
      const commands = store.actions(100).map(({command}) => command.command);
      assert.deepEqual(commands.toSorted(), ['pause', 'retry', 'stop']);
    });
  });
}

test('failures of the agent that named Codex are read by their names of today', async () => {
  using dir = new TemporaryDir();
  restoreStore(4, dir.path, FOLDER);
  const file = new DatabaseSync(dir.at('symphony.db'));
  const end =
    "UPDATE runs SET failure = ? WHERE run_id = (SELECT min(run_id) FROM runs WHERE failure = 'port_exit')";
  file.prepare(end).run('codex_not_found');
  const held =
    "UPDATE claims SET claim = replace(claim, 'turn_input_required', 'codex_incompatible')";
  file.exec(`${held} WHERE key = 'p/T-asked'`);
  file.close();
  await withStore(dir.path, (store) => {
    assert.ok(store.recentRuns(100).some(({failure}) => failure === 'agent_not_found'));
    const claim = store.load().claims.get('p/T-asked');
    assert.equal(claim?.is === 'held' && claim.because.code, 'agent_incompatible');
  });
});

test('an upgrade leaves a copy of the store as it was, once', async () => {
  using dir = new TemporaryDir();
  restoreStore(1, dir.path, FOLDER);
  await withStore(dir.path, () => {});
  await withStore(dir.path, () => {});
  assert.deepEqual(copies(dir), ['symphony.db.v1']);
  const copy = new DatabaseSync(dir.at('symphony.db.v1'), {readOnly: true});
  assert.equal(schemaVersion(copy), 1);
  const row = copy.prepare("SELECT claim FROM claims WHERE key = 'q/T-message'").get();
  assert.match((row as {claim: string}).claim, /"operatorMessage":"Blue, like the sky\."/);
  copy.close();
});

test('the copies of the last two versions are kept', async () => {
  using dir = new TemporaryDir();
  restoreStore(1, dir.path, FOLDER);
  for (const name of ['symphony.db.v0', 'symphony.db.v2', 'symphony.db.v1.part', 'symphony.db.vx'])
    writeFileSync(dir.at(name), '');
  await withStore(dir.path, () => {});
  assert.deepEqual(copies(dir), ['symphony.db.v1', 'symphony.db.v2', 'symphony.db.vx']);
});

test('a damaged store of an older version is rebuilt and upgraded; a table that it never had is not missed', async () => {
  using dir = new TemporaryDir();
  restoreStore(1, dir.path, FOLDER);
  const [page] = pagesOf(dir.at('symphony.db'), 'runs_by_start');
  const file = openSync(dir.at('symphony.db'), 'r+');
  writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, page);
  closeSync(file);
  const {store, damage} = openStore(dir.path);
  await using _closed = store;
  assert.deepEqual(damage?.salvaged.claims, {rows: 9, isComplete: true});
  assert.deepEqual(damage.salvaged.unreadable, {rows: 0, isComplete: true});
  assert.equal(store.load().claims.size, 9);
});

test('the copy that an upgrade left is a whole store to its release', async () => {
  using dir = new TemporaryDir();
  using back = new TemporaryDir();
  restoreStore(1, dir.path, FOLDER);
  await withStore(dir.path, () => {});
  const copy = new DatabaseSync(dir.at('symphony.db.v1'));
  copy.prepare('VACUUM INTO ?').run(back.at('symphony.db'));
  copy.close();
  assert.equal((await reloaded(back.path)).claims.size, 9);
});

test('a store of a newer version is refused, and the refusal names the copy of ours', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, () => {});
  const copy = dir.at(`symphony.db.v${MIGRATIONS.length}`);
  writeFileSync(copy, '');
  const db = new DatabaseSync(dir.at('symphony.db'));
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
  db.close();
  assert.throws(
    () => openStore(dir.path),
    (error) => error instanceof StoreTooNew && error.message.includes(copy),
  );
});

/** Where in the file the pages of a table or an index begin. */
function pagesOf(path: string, name: string): number[] {
  const db = new DatabaseSync(path, {readOnly: true});
  const rows = db.prepare('SELECT pgoffset FROM dbstat WHERE name = ?').all(name);
  db.close();
  return rows.map((row) => (row as {pgoffset: number}).pgoffset);
}

function copies(dir: TemporaryDir): string[] {
  return readdirSync(dir.path)
    .filter((name) => name.startsWith('symphony.db.'))
    .toSorted();
}

function told(claim: Claim): string {
  const messages = claim.messages.map(({text}) => `, ${text}`).join('');
  switch (claim.is) {
    case 'running':
      return `running ${claim.run.step}, turn ${claim.run.turn}${messages}`;
    case 'stopping':
      return `stopping ${claim.step}, then ${claim.next.do}${messages}`;
    case 'retrying':
      return `retrying ${claim.kind} ${claim.attempt}, ${claim.lastError}${messages}`;
    case 'held':
      return `held ${claim.because.code}: ${claim.question}${messages}`;
    case 'dismissed':
      return `dismissed${messages}`;
  }
}
