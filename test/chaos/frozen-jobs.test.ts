import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {until} from '../rig/survivors.ts';
import {runnerOf, Storm} from './weather/storm.ts';

/** A runner is taken for dead when it has said nothing for 30 s; this is what it costs to see that. */
const LONG_MS = 120_000;

/** Freezes the runner that executes it, the first time. */
const FREEZE = 'test -e "$HOME/frozen" || { touch "$HOME/frozen"; kill -STOP $PPID; }';

async function isKilled(supervisor: ReturnType<Storm['start']>, job: string): Promise<void> {
  const line = await until(
    async () => supervisor.log.find((one) => one.event === 'job.killed' && one.job === job) ?? null,
    LONG_MS,
  );
  assert.ok(line !== null, `the frozen ${job} job was not noticed`);
  assert.equal(line.reason, 'gave no sign of life for 30 s');
}

describe('a job that is frozen is killed for its silence, and work goes on', {
  concurrency: 3,
}, () => {
  test('the check of the agent', async () => {
    await using storm = await Storm.brews(['T-1'], {}, FREEZE);
    await using supervisor = storm.start();
    await isKilled(supervisor, 'probe');
    await storm.completes(await storm.puppet.nextTurn(), 'T-1');
    await storm.isOver(supervisor);
  });

  test('the last hook of a run whose runner died', async () => {
    const settings = {hooks: {after_run: FREEZE}, agent: {max_retry_backoff_ms: 200}};
    await using storm = await Storm.brews(['T-1'], settings);
    await using supervisor = storm.start();
    const before = await storm.puppet.nextTurn();
    await storm.isOnRecord(before.threadId);
    process.kill(await runnerOf(before.agent), 'SIGKILL');
    await isKilled(supervisor, 'finish');
    const after = await storm.puppet.nextTurn();
    assert.equal(after.threadId, before.threadId);
    await storm.completes(after, 'T-1');
    await storm.isOver(supervisor);
  });

  test('the removal of a workspace, while other issues are worked on', async () => {
    await using storm = await Storm.brews(['T-1', 'T-2'], {hooks: {before_remove: FREEZE}});
    await using supervisor = storm.start();
    const turns = [await storm.puppet.nextTurn(), await storm.puppet.nextTurn()];
    const [first, second] = ['T-1', 'T-2'].map((issue) =>
      turns.find(({input}) => input.includes(issue)),
    );
    assert.ok(first !== undefined && second !== undefined);
    await storm.completes(first, 'T-1');
    await storm.completes(second, 'T-2');
    await isKilled(supervisor, 'clean');
    await storm.isOver(supervisor);
  });
});
