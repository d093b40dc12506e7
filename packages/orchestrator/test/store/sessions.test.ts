import assert from 'node:assert/strict';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import {TemporaryDir, withStore} from './a-store.ts';
import {restoreStore} from './recorded/restore.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

function aSession(id: string, expiresAt = 30 * DAY_MS) {
  return {id, cookieDigest: `c-${id}`, keyDigest: `k-${id}`, createdAt: 0, expiresAt};
}

test('sessions and the name of the instance survive a restart', async () => {
  using dir = new TemporaryDir();
  let instance = '';
  await withStore(dir.path, ({sessions}) => {
    sessions.add(aSession('a'));
    sessions.add(aSession('b'));
    sessions.remove('a');
    instance = sessions.instanceId();
    assert.match(instance, /^[0-9a-f]{12}$/);
    assert.equal(sessions.instanceId(), instance);
  });
  await withStore(dir.path, ({sessions}) => {
    assert.deepEqual(sessions.all(), [aSession('b')]);
    assert.equal(sessions.instanceId(), instance);
    sessions.clear();
    assert.deepEqual(sessions.all(), []);
  });
});

test('a session that has expired is pruned', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, (store) => {
    store.sessions.add(aSession('old', 1000));
    store.sessions.add(aSession('new', 3000));
    store.prune({keepDays: 90, keepRuns: 10}, 2000);
    assert.deepEqual(
      store.sessions.all().map(({id}) => id),
      ['new'],
    );
  });
});

test('a store of the version before sessions gets their table', async () => {
  using dir = new TemporaryDir();
  restoreStore(2, dir.path, '/srv/work');
  await withStore(dir.path, ({sessions}) => {
    sessions.add(aSession('a'));
    assert.deepEqual(sessions.all(), [aSession('a')]);
  });
});

test('a name of the instance that was damaged is replaced', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, ({sessions}) => void sessions.instanceId());
  const db = new DatabaseSync(dir.at('symphony.db'));
  db.exec("UPDATE facts SET value = 'x; Path=/' WHERE name = 'instance'");
  db.close();
  await withStore(dir.path, ({sessions}) => {
    assert.match(sessions.instanceId(), /^[0-9a-f]{12}$/);
  });
});
