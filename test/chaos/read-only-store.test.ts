import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {DatabaseSync} from '@photostructure/sqlite';
import {Mount, mountProblem} from '../rig/mount.ts';
import {until} from '../rig/survivors.ts';
import {Storm} from './weather/storm.ts';

test('a store that can only be read: it says so and exits 1, and the next start goes on', {
  skip: mountProblem(),
}, async () => {
  await using storm = await Storm.brews(['T-1']);
  const former = storm.start();
  const before = await storm.puppet.nextTurn();
  await storm.isOnRecord(before.threadId);
  await former.kill();
  await before.agent.gone;
  {
    using _frozen = Mount.readOnly(join(storm.folder, '.symphony'));
    await using refused = storm.start();
    assert.equal((await refused.exited).code, 1);
    const told = await until(async () => (refused.stderr === '' ? null : refused.stderr));
    assert.match(told ?? '', /^symphony-supervisor: .*\.symphony/);
    assert.doesNotMatch(told ?? '', /\n {4}at /);
  }
  await using supervisor = storm.start();
  const after = await storm.puppet.nextTurn();
  assert.equal(after.threadId, before.threadId);
  await storm.completes(after, 'T-1');
  await storm.isOver(supervisor);
});

test('a store that somebody else keeps locked: nothing is started until it can be written again', async () => {
  const newcomers = ['T-2', 'T-3', 'T-4'];
  await using storm = await Storm.brews(['T-1'], {agent: {max_concurrent_agents: 4}});
  await using supervisor = storm.start();
  const running = await storm.puppet.nextTurn();
  await storm.isOnRecord(running.threadId);
  const intruder = new DatabaseSync(join(storm.folder, '.symphony/symphony.db'));
  intruder.exec('PRAGMA busy_timeout = 10000'); // the supervisor may be about to write
  intruder.exec('BEGIN IMMEDIATE');
  await storm.cannotWrite(supervisor, running);
  await storm.startsNothing(supervisor, newcomers, 'the store cannot be written');
  assert.equal((await running.runs('echo on')).output, 'on\n');
  intruder.exec('ROLLBACK');
  intruder.close();
  await storm.completesAll(newcomers);
  await storm.completes(running, 'T-1');
  await storm.isOver(supervisor);
});
