import assert from 'node:assert/strict';
import {chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {AlreadyRunning, InstanceLock} from '../../src/store/index.ts';
import {TemporaryDir} from './a-store.ts';
import {SavingChild} from './children.ts';

const self = {pid: process.pid, startedAt: new Date('2030-01-02T03:04:05Z')};

function refusal(act: () => unknown): AlreadyRunning {
  try {
    act();
  } catch (error) {
    if (error instanceof AlreadyRunning) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test('a second supervisor is told who holds the folder; a kill -9 frees it', async () => {
  using dir = new TemporaryDir();
  await using child = new SavingChild(dir.path);
  await child.untilSaved(0);

  const refused = refusal(() => InstanceLock.take(dir.path, self));
  assert.equal(refused.code, 'already_running');
  assert.equal(refused.pid, child.pid);
  assert.equal(refused.since, JSON.parse(readFileSync(dir.at('lock.json'), 'utf8')).started_at);
  assert.match(refused.message, new RegExp(`process ${child.pid}, since 2`));

  await child.kill();
  await using _lock = InstanceLock.take(dir.path, self);
  assert.equal(JSON.parse(readFileSync(dir.at('lock.json'), 'utf8')).pid, process.pid);
});

test('within one process there is one holder too, and a lock that is let go can be taken', async () => {
  using dir = new TemporaryDir();
  {
    await using _lock = InstanceLock.take(dir.path, self);
    const refused = refusal(() => InstanceLock.take(dir.path, self));
    assert.deepEqual([refused.pid, refused.since], [self.pid, '2030-01-02T03:04:05.000Z']);
  }
  await using _again = InstanceLock.take(dir.path, self);
});

for (const [what, note] of [
  ['is about a process that is gone', '{"pid":999999999,"started_at":"2020-01-01T00:00:00Z"}'],
  ['cannot be read', '{"pid":'],
]) {
  test(`a note that ${what} names nobody, and the lock holds`, async () => {
    using dir = new TemporaryDir();
    await using _lock = InstanceLock.take(dir.path, self);
    writeFileSync(dir.at('lock.json'), note ?? '');
    const refused = refusal(() => InstanceLock.take(dir.path, self));
    assert.deepEqual([refused.pid, refused.since], [null, null]);
  });
}

test('a lock file that is something else is an error, not a lock', () => {
  using dir = new TemporaryDir();
  writeFileSync(dir.at('lock.db'), 'x'.repeat(8192));
  assert.throws(() => InstanceLock.take(dir.path, self), {
    name: 'StoreFailure',
    code: 'store_corrupt',
  });
});

test('the lock file is for its owner only, also one that an older version made', async () => {
  using dir = new TemporaryDir();
  const mode = () => statSync(dir.at('lock.db')).mode & 0o777;
  {
    await using _lock = InstanceLock.take(dir.path, self);
    assert.equal(mode(), 0o600);
  }
  chmodSync(dir.at('lock.db'), 0o644);
  await using _again = InstanceLock.take(dir.path, self);
  assert.equal(mode(), 0o600);
  refusal(() => InstanceLock.take(dir.path, self)); // to look at its mode did not drop the lock
});
