import assert from 'node:assert/strict';
import {test} from 'node:test';
import {reloaded, TemporaryDir} from './a-store.ts';
import {SavingChild} from './children.ts';

test('what was said to be saved is there after a kill -9, and nothing half', async () => {
  using dir = new TemporaryDir();
  await using child = new SavingChild(dir.path, '--save');
  await child.untilSaved(200);
  await child.kill();

  const {claims, counters, unreadable} = await reloaded(dir.path);
  assert.deepEqual(unreadable, []);
  assert.ok(claims.size >= child.saved, `${child.saved} were saved, ${claims.size} are there`);
  for (let count = 1; count <= claims.size; count++) assert.ok(claims.has(`p/i${count}`));
  // Both are written by one save.
  assert.equal(counters.get('p/i1')?.runs, claims.size);
});
