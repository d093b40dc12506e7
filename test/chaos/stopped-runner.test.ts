import assert from 'node:assert/strict';
import {test} from 'node:test';
import {identify, isAlive} from '@symphony-supervisor/protocol/processes';
import {until} from '../rig/survivors.ts';
import {runnerOf, Storm} from './weather/storm.ts';

/** A runner is taken for dead when it has said nothing for 30 s; this is what it costs to see that. */
const LONG_MS = 120_000;

test('a runner that is stopped and says nothing any more is killed, and its issue retried', async () => {
  await using storm = await Storm.brews(['T-1'], {agent: {max_retry_backoff_ms: 200}});
  await using supervisor = storm.start();
  const before = await storm.puppet.nextTurn();
  await storm.isOnRecord(before.threadId);
  const runner = identify(await runnerOf(before.agent));
  const agent = identify(before.agent.pid);
  assert.ok(runner !== null && agent !== null);
  process.kill(runner.pid, 'SIGSTOP');

  const silent = await until(
    async () => (supervisor.log.some(({event}) => event === 'runner.silent') ? true : null),
    LONG_MS,
  );
  assert.ok(silent, 'nobody noticed');
  const after = await storm.puppet.nextTurn();
  assert.deepEqual([runner, agent].filter(isAlive), []);
  assert.equal(after.threadId, before.threadId);
  assert.match(after.input, /This is attempt 1\./);
  assert.match(after.input, /runner_crashed/);
  await storm.completes(after, 'T-1');
  await storm.isOver(supervisor);
});
