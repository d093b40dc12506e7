import assert from 'node:assert/strict';
import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {identify, isAlive} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {SUPERVISOR_BIN} from '../rig/supervisor-command.ts';
import {nothingIsLeftOf} from '../rig/survivors.ts';

test('a second signal ends it immediately: exit 1, no agent is left, and its commands know that it is gone', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_run: 'sleep 600'};
  await using folder = await aProject(puppet.command, ['T-1'], {hooks});
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  const agent = identify(turn.agent.pid);
  assert.ok(agent !== null);
  await supervisor.logged('http.listening');
  assert.ok(existsSync(join(folder.path, '.symphony/supervisor.json')));
  supervisor.process.kill('SIGTERM');
  await supervisor.logged('claim.stopping', 'p/T-1');
  supervisor.process.kill('SIGTERM');
  assert.deepEqual(await supervisor.exited, {code: 1, signal: null});
  assert.equal(isAlive(agent), false);
  assert.equal(existsSync(join(folder.path, '.symphony/supervisor.json')), false);
});

test('after_run has what is left of the bound, and a shutdown takes no longer than it needs', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_run: 'sleep 2; touch ../../finished'};
  await using folder = await aProject(puppet.command, ['T-1'], {hooks});
  await using supervisor = new SupervisorRig(folder.path, ['--shutdown-timeout', '10000']);
  await puppet.nextTurn();
  supervisor.process.kill('SIGTERM');
  assert.deepEqual(await supervisor.exited, {code: 0, signal: null});
  assert.ok(existsSync(join(folder.path, 'finished')));
});

for (const bound of [3000, 5000]) {
  test(`an agent that ignores everything ends within a bound of ${bound} ms: exit 0, no process, the run on record`, async () => {
    await using puppet = await AgentPuppet.listen();
    const hooks = {after_run: 'echo "$SYMPHONY_OUTCOME" > ../../outcome'};
    await using folder = await aProject(puppet.command, ['T-1'], {hooks});
    await using supervisor = new SupervisorRig(folder.path, ['--shutdown-timeout', `${bound}`]);
    const turn = await puppet.nextTurn();
    const agent = identify(turn.agent.pid);
    assert.ok(agent !== null);
    const {running} = await supervisor.shows('the run', (shown) => shown.running.length === 1);
    // Stopped, it hears neither requests nor the end of its input nor SIGTERM.
    process.kill(agent.pid, 'SIGSTOP');
    supervisor.process.kill('SIGTERM');
    assert.deepEqual(await supervisor.exited, {code: 0, signal: null});
    assert.equal(isAlive(agent), false);
    await nothingIsLeftOf(running[0]?.run_id ?? '');
    assert.equal(await readFile(join(folder.path, 'outcome'), 'utf8'), 'interrupted\n');
  });
}

function connected(cwd: string): ChildProcess {
  const env = {...process.env, HOME: cwd};
  return fork(SUPERVISOR_BIN, [], {cwd, env, silent: true, execArgv: []});
}

test('a parent that is connected hears when it is ready, and may ask it to end', async () => {
  await using folder = await aProject('false', []);
  const child = connected(folder.path);
  using _end = {[Symbol.dispose]: () => void child.kill('SIGKILL')};
  assert.deepEqual((await once(child, 'message'))[0], 'ready');
  child.send('shutdown');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a start that fails ends, whoever is connected', async () => {
  await using folder = await aProject('false', []);
  await using first = new SupervisorRig(folder.path);
  await first.logged('supervisor.started');
  const child = connected(folder.path);
  using _end = {[Symbol.dispose]: () => void child.kill('SIGKILL')};
  assert.deepEqual(await once(child, 'exit'), [5, null]);
});
