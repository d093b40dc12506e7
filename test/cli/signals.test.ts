import assert from 'node:assert/strict';
import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {identify, isAlive} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {SUPERVISOR_BIN} from '../rig/supervisor-command.ts';

test('a second signal does not wait: exit 1, no agent is left, and its commands know that it is gone', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_run: 'sleep 600'};
  await using folder = await aProject(puppet.command, ['T-1'], {hooks});
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  const agent = identify(turn.agent.pid);
  assert.ok(agent !== null);
  await supervisor.logged('doors.open');
  assert.ok(existsSync(join(folder.path, '.symphony/supervisor.json')));
  supervisor.process.kill('SIGTERM');
  await supervisor.logged('claim.stopping', 'p/T-1');
  supervisor.process.kill('SIGTERM');
  assert.deepEqual(await supervisor.exited, {code: 1, signal: null});
  assert.equal(isAlive(agent), false);
  assert.equal(existsSync(join(folder.path, '.symphony/supervisor.json')), false);
});

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
