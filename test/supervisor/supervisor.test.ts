import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {identify, isAlive} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, onRecord, reaches, SupervisorRig, writeIssue} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

test('issues travel from Todo to Done, as many at a time as there are slots', async () => {
  await using puppet = await AgentPuppet.listen();
  const settings = {
    tracker: {kind: 'file', in_progress_state: 'In Progress'},
    agent: {max_concurrent_agents: 2},
  };
  await using folder = await aProject(puppet.command, ['T-1', 'T-2', 'T-3'], settings);
  await using supervisor = new SupervisorRig(folder.path);
  const first = await puppet.nextTurn();
  const second = await puppet.nextTurn();
  assert.deepEqual([first.input, second.input].toSorted(), ['Work on T-1.', 'Work on T-2.']);
  await reaches(folder.path, 'T-1', 'In Progress');
  for (const turn of [first, second]) {
    await turn.callsTool('update_issue', {state: 'Done'});
    await turn.completes();
  }
  const third = await puppet.nextTurn();
  assert.equal(third.input, 'Work on T-3.');
  await third.callsTool('update_issue', {state: 'Done'});
  await third.completes();
  for (const id of ['T-1', 'T-2', 'T-3']) await supervisor.logged('claim.released', `p/${id}`);
});

test('a clean run whose issue stays open is continued in the same thread', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1'], {agent: {max_turns: 1}});
  await using supervisor = new SupervisorRig(folder.path);
  const first = await puppet.nextTurn();
  await first.runs('echo hello > hello.txt');
  await first.completes();
  const second = await puppet.nextTurn();
  assert.equal(second.threadId, first.threadId);
  assert.doesNotMatch(second.input, /Work on/);
  await second.callsTool('update_issue', {state: 'Done'});
  await second.completes();
  await supervisor.logged('claim.released', 'p/T-1');
});

test('killed and started again: the former agent is gone, the thread goes on, nothing runs twice', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  const former = new SupervisorRig(folder.path);
  const before = await puppet.nextTurn();
  const agent = identify(before.agent.pid);
  assert.ok(agent !== null);
  await onRecord(folder.path, before.threadId);
  await former.kill();

  await using supervisor = new SupervisorRig(folder.path);
  const after = await puppet.nextTurn();
  assert.equal(isAlive(agent), false);
  assert.equal(after.threadId, before.threadId);
  await after.callsTool('update_issue', {state: 'Done'});
  await after.completes();
  await supervisor.logged('claim.released', 'p/T-1');
});

test('SIGTERM: turns are interrupted, after_run runs, exit 0; the next start goes on', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_run: 'echo "$SYMPHONY_OUTCOME" >> ../../outcomes'};
  await using folder = await aProject(puppet.command, ['T-1'], {hooks});
  await using former = new SupervisorRig(folder.path);
  const before = await puppet.nextTurn();
  former.process.kill('SIGTERM');
  assert.deepEqual(await former.exited, {code: 0, signal: null});
  assert.equal(before.agent.received('turn/interrupt').length, 1);
  assert.equal(await readFile(join(folder.path, 'outcomes'), 'utf8'), 'interrupted\n');

  await using _next = new SupervisorRig(folder.path);
  const after = await puppet.nextTurn();
  assert.equal(after.threadId, before.threadId);
});

test('SIGTERM in the first moment, while everything is being asked for: exit 0 all the same', async () => {
  await using folder = await aProject('sleep 60', []);
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('supervisor.started');
  supervisor.process.kill('SIGTERM');
  assert.deepEqual(await supervisor.exited, {code: 0, signal: null});
});

test('an issue that a person closes is stopped and its workspace removed', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {before_remove: 'touch ../../removed'};
  await using folder = await aProject(puppet.command, ['T-1'], {hooks});
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  await writeIssue(folder.path, 'T-1', 'Done');
  await turn.agent.gone;
  await supervisor.logged('claim.released', 'p/T-1');
  assert.equal(await readFile(join(folder.path, 'removed'), 'utf8'), '');
});

test('a runner that is killed is retried on the same thread after its backoff', async () => {
  await using puppet = await AgentPuppet.listen();
  const agent = {max_retry_backoff_ms: 200};
  const hooks = {after_run: 'echo run >> ../../after'};
  await using folder = await aProject(puppet.command, ['T-1'], {agent, hooks});
  await using _supervisor = new SupervisorRig(folder.path);
  const before = await puppet.nextTurn();
  await onRecord(folder.path, before.threadId);
  const runner = Number(
    /^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${before.agent.pid}/status`, 'utf8'))?.[1],
  );
  process.kill(runner, 'SIGKILL');
  const after = await puppet.nextTurn();
  assert.equal(after.threadId, before.threadId);
  assert.match(after.input, /runner_crashed/);
  assert.equal(await readFile(join(folder.path, 'after'), 'utf8'), 'run\n');
});

test('a changed workflow applies without a restart; a broken one waits, and a mended one goes on', async () => {
  await using puppet = await AgentPuppet.listen();
  const settings = {agent: {max_concurrent_agents: 1}};
  await using folder = await aProject(puppet.command, ['T-1', 'T-2', 'T-3'], settings);
  const path = join(folder.path, 'WORKFLOW.md');
  const original = await readFile(path, 'utf8');
  await using supervisor = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  const changed = original
    .replace('"max_concurrent_agents":1', '"max_concurrent_agents":2')
    .replace('Work on', 'Now work on');
  await writeFile(path, changed);
  assert.equal((await puppet.nextTurn()).input, 'Now work on T-2.');
  await writeFile(path, changed.replace('"max_concurrent_agents":2', '"max_concurrent_agents":-1'));
  const broken = await until(async () =>
    supervisor.log.some((line) => line.event === 'workflow.broken') ? true : null,
  );
  assert.ok(broken, 'a broken workflow was not reported');
  await writeFile(path, changed.replace('"max_concurrent_agents":2', '"max_concurrent_agents":3'));
  assert.equal((await puppet.nextTurn()).input, 'Now work on T-3.');
});

test('a second supervisor on one state dir says who holds it, and exits 5', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using first = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  await using second = new SupervisorRig(folder.path);
  assert.equal((await second.exited).code, 5);
  assert.match(second.stderr, new RegExp(`${first.process.pid}`));
});

test('a workflow that is invalid exits 3 with every mistake and its place', async () => {
  await using folder = await aProject('false', []);
  await writeFile(
    join(folder.path, 'WORKFLOW.md'),
    '---\ntracker: {kind: nope}\nagent: {max_turns: 0}\n---\n',
  );
  await using supervisor = new SupervisorRig(folder.path);
  assert.equal((await supervisor.exited).code, 3);
  const told = await until(async () =>
    supervisor.stderr.includes('max_turns') ? supervisor.stderr : null,
  );
  assert.match(told ?? '', /WORKFLOW\.md:2:\d+: .*nope/);
  assert.match(told ?? '', /WORKFLOW\.md:3:\d+: agent\.max_turns is 0/);
});

test('a state dir that cannot be used: one message without a stack trace, exit 1', async () => {
  await using folder = await aProject('false', []);
  await writeFile(join(folder.path, 'a-file'), '');
  await using supervisor = new SupervisorRig(folder.path, ['--state-dir', 'a-file']);
  assert.equal((await supervisor.exited).code, 1);
  const told = await until(async () => (supervisor.stderr === '' ? null : supervisor.stderr));
  assert.match(told ?? '', /^symphony-supervisor: .*a-file/);
  assert.doesNotMatch(told ?? '', /\n {4}at /);
});

test('options that make no sense: one message, exit 2', async () => {
  await using folder = await aProject('false', []);
  for (const args of [['--nope'], ['--max-agents', '0'], ['--shutdown-timeout', 'soon']]) {
    await using supervisor = new SupervisorRig(folder.path, args);
    assert.equal((await supervisor.exited).code, 2);
    const told = await until(async () =>
      supervisor.stderr.includes('Usage:') ? supervisor.stderr : null,
    );
    assert.match(told ?? '', new RegExp(`^symphony-supervisor: .*${args[0]}`));
  }
});

test('whoever looks does not wait for an agent that does not answer', async () => {
  await using folder = await aProject('sleep 600', ['T-1']);
  await using supervisor = new SupervisorRig(folder.path);
  const isChecked = ({projects}: {projects: readonly {agent: {status: string}}[]}) =>
    projects[0]?.agent.status === 'probing';
  await supervisor.shows('that the agent is being checked', isChecked);
});
