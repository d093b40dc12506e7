import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {DatabaseSync} from '@photostructure/sqlite';
import {isRoot, Mount} from '../../../../test/rig/mount.ts';
import {migrate, schemaVersion} from '../../src/store/database.ts';
import {
  openStore,
  openStoreForReading,
  StoreTooNew,
  stateDirExposure,
} from '../../src/store/index.ts';
import {MIGRATIONS} from '../../src/store/upgrade/migrations.ts';
import {aClaim, reloaded, TemporaryDir, withStore} from './a-store.ts';

test('the folder is made for its owner only, unseen by git', async () => {
  using dir = new TemporaryDir();
  const stateDir = dir.at('deep', '.symphony');
  await withStore(stateDir, () => {});
  assert.equal(statSync(stateDir).mode & 0o777, 0o700);
  assert.equal(statSync(`${stateDir}/symphony.db`).mode & 0o777, 0o600);
  assert.equal(readFileSync(`${stateDir}/.gitignore`, 'utf8'), '*\n');
});

test('a folder that a person has made stays as it is', async () => {
  using dir = new TemporaryDir();
  mkdirSync(dir.at('mine'), {mode: 0o755});
  writeFileSync(dir.at('mine', '.gitignore'), 'theirs\n');
  await withStore(dir.at('mine'), () => {});
  assert.equal(statSync(dir.at('mine')).mode & 0o777, 0o755);
  assert.equal(readFileSync(dir.at('mine', '.gitignore'), 'utf8'), 'theirs\n');
});

test('a folder that others may enter is named with what to do', () => {
  using dir = new TemporaryDir();
  mkdirSync(dir.at('state'), {mode: 0o700});
  assert.equal(stateDirExposure(dir.at('state')), null);
  for (const mode of [0o755, 0o710, 0o701]) {
    chmodSync(dir.at('state'), mode);
    const told = new RegExp(`can enter .*state \\(mode ${mode.toString(8)}\\); chmod 700`);
    assert.match(stateDirExposure(dir.at('state')) ?? '', told);
  }
  chmodSync(dir.at('state'), 0o744); // they see names, and can open nothing
  assert.equal(stateDirExposure(dir.at('state')), null);
});

test('a folder of another user is named as such', {
  skip: isRoot ? false : 'to give a folder away needs root',
}, () => {
  using dir = new TemporaryDir();
  mkdirSync(dir.at('state'), {mode: 0o700});
  chownSync(dir.at('state'), 65534, 65534);
  assert.match(stateDirExposure(dir.at('state')) ?? '', /another user \(uid 65534\)/);
});

test('an empty file gets every migration, and a closed store is all in its one file', async () => {
  using dir = new TemporaryDir();
  using copy = new TemporaryDir();
  await withStore(dir.path, (store) => store.save({claims: new Map([['p/i1', aClaim()]])}));
  copyFileSync(dir.at('symphony.db'), copy.at('symphony.db'));
  assert.deepEqual([...(await reloaded(copy.path)).claims.keys()], ['p/i1']);
  const db = new DatabaseSync(copy.at('symphony.db'), {readOnly: true});
  assert.equal(schemaVersion(db), MIGRATIONS.length);
});

test('a look beside the writer: an empty file is none, and a newer one is left alone', () => {
  using dir = new TemporaryDir();
  assert.equal(openStoreForReading(dir.path), null);
  const db = new DatabaseSync(dir.at('symphony.db'));
  db.exec('PRAGMA journal_mode = WAL');
  assert.equal(openStoreForReading(dir.path), null);
  db.exec('PRAGMA user_version = 999');
  assert.throws(() => openStoreForReading(dir.path), StoreTooNew);
  db.close();
});

test('migrations go on from where the file stands, each with its number or not at all', () => {
  const db = new DatabaseSync(':memory:');
  const schemas = (...steps: string[]) => steps.map((schema) => ({schema}));
  migrate(db, 'x', schemas('CREATE TABLE a (n)', 'INSERT INTO a VALUES (1)'));
  assert.equal(schemaVersion(db), 2);
  const steps = schemas(
    'nonsense',
    'nonsense',
    'INSERT INTO a VALUES (3)',
    'INSERT INTO a VALUES (4); oh',
  );
  assert.throws(() => migrate(db, 'x', steps), /syntax error/);
  assert.equal(schemaVersion(db), 3);
  assert.deepEqual(
    db
      .prepare('SELECT n FROM a')
      .all()
      .map(({n}) => n),
    [1, 3],
  );
});

test('a file of a newer version is refused and not touched', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, () => {});
  new DatabaseSync(dir.at('symphony.db')).exec('PRAGMA user_version = 99');
  assert.throws(
    () => openStore(dir.path),
    (error) =>
      error instanceof StoreTooNew &&
      error.code === 'store_too_new' &&
      error.found === 99 &&
      error.known === MIGRATIONS.length &&
      /version 99.*install/.test(error.message),
  );
  assert.equal(schemaVersion(new DatabaseSync(dir.at('symphony.db'))), 99);
});

test('a state directory that is a file is an error with its name', () => {
  using dir = new TemporaryDir();
  writeFileSync(dir.at('file'), '');
  assert.throws(() => openStore(dir.at('file')), {name: 'StoreFailure', message: /file cannot be/});
});

for (const name of ['', 'symphony.db', 'symphony.db-wal']) {
  test(`a read-only ${name || 'folder'} is found out at the start`, {
    skip: isRoot ? false : 'mounts need root',
  }, async () => {
    using dir = new TemporaryDir();
    const {store} = openStore(dir.path);
    await using _closed = store; // while it is open its log exists
    using _mount = Mount.readOnly(dir.at(name));
    assert.throws(() => openStore(dir.path), {name: 'StoreFailure', code: 'store_read_only'});
  });
}

test('a crash before the file had its write-ahead log is undone', async () => {
  using dir = new TemporaryDir();
  // More than the cache holds goes to the file before the commit that never comes.
  const script = `
    import {DatabaseSync} from '@photostructure/sqlite';
    const db = new DatabaseSync(process.argv[1]);
    db.exec('CREATE TABLE other (text); PRAGMA cache_size = 1; BEGIN');
    const insert = db.prepare('INSERT INTO other VALUES (?)');
    for (let i = 0; i < 5000; i++) insert.run('half a change');
    process.kill(process.pid, 'SIGKILL');`;
  const args = ['--input-type=module', '-e', script, dir.at('symphony.db')];
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  assert.equal(spawnSync(process.execPath, args, {cwd}).signal, 'SIGKILL');
  assert.ok(existsSync(dir.at('symphony.db-journal')), 'nothing is there to be undone');

  await withStore(dir.path, (store) => store.save({pausedProjects: ['p']}));
  const db = new DatabaseSync(dir.at('symphony.db'));
  assert.equal(db.prepare('SELECT count(*) AS rows FROM other').get().rows, 0);
});
