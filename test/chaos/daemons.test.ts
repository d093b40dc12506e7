import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {isAlive} from '@symphony-supervisor/protocol/processes';
import {writeIssue} from '../rig/supervisor.ts';
import {noted, until} from '../rig/survivors.ts';
import {Storm} from './weather/storm.ts';

/** In a session of its own, its parent gone, deaf to what asks politely. */
const DAEMON =
  `setsid sh -c 'trap "" TERM HUP INT; echo $$ >> ../../daemons; ` +
  `while :; do sleep 1; done' > /dev/null 2>&1 &`;

test('hooks and agents that leave daemons behind: each ends with its run', async () => {
  const hooks = {
    after_create: DAEMON,
    before_run: DAEMON,
    after_run: DAEMON,
    before_remove: DAEMON,
  };
  await using storm = await Storm.brews(['T-1'], {hooks});
  await using supervisor = storm.start();
  const turn = await storm.puppet.nextTurn();
  await turn.runs(DAEMON);
  const early = await noted(join(storm.folder, 'daemons'), 3);
  await storm.completes(turn, 'T-1');
  await supervisor.logged('claim.released', 'p/T-1');
  assert.deepEqual(early.filter(isAlive), []);
  await storm.isOver(supervisor);
});

test('killed with daemons about: the next life ends them before it goes on', async () => {
  await using storm = await Storm.brews(['T-1'], {hooks: {before_run: DAEMON}});
  const former = storm.start();
  const before = await storm.puppet.nextTurn();
  await storm.isOnRecord(before.threadId);
  await before.runs(DAEMON);
  const daemons = await noted(join(storm.folder, 'daemons'), 2);
  await former.kill();
  await using supervisor = storm.start();
  await supervisor.logged('supervisor.started');
  assert.deepEqual(daemons.filter(isAlive), []);
  const after = await storm.puppet.nextTurn();
  assert.equal(after.threadId, before.threadId);
  await writeIssue(storm.folder, 'T-1', 'Done');
  const gone = await until(async () => (daemons.some(isAlive) ? null : true));
  assert.ok(gone);
  await storm.isOver(supervisor);
});
