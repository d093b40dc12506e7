import assert from 'node:assert/strict';
import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig, writeIssue} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

test('--dry-run: what a tick would dispatch and why not the rest; nothing is touched', async () => {
  const settings = {agent: {max_concurrent_agents: 1}};
  await using folder = await aProject('touch started', ['T-1', 'T-2'], settings);
  const before = await readdir(folder.path, {recursive: true});
  const {code, stdout} = await supervisorCommand(['--dry-run'], {cwd: folder.path});
  assert.equal(code, 0);
  assert.match(stdout, /would dispatch:\nISSUE .*\nT-1 +p +Todo +fresh/);
  assert.match(
    stdout,
    /would not dispatch:\nISSUE .*\nT-2 +p +Todo +no available orchestrator slots \(project_full\)/,
  );
  assert.deepEqual(await readdir(folder.path, {recursive: true}), before);
});

test('--dry-run names the label that an issue lacks', async () => {
  const tracker = {kind: 'file', required_labels: ['agent']};
  await using folder = await aProject('touch started', ['T-1'], {tracker});
  const {code, stdout} = await supervisorCommand(['--dry-run'], {cwd: folder.path});
  assert.equal(code, 0);
  assert.match(stdout, /T-1 +p +Todo +lacks the required label agent /);
});

test('--dry-run ends with what is in other states, and with issues that cannot be read', async () => {
  const settings = {tracker: {kind: 'file', active_states: ['To Do', 'Doing']}};
  await using folder = await aProject('false', ['T-1', 'T-2'], settings);
  await writeIssue(folder.path, 'T-3', 'Backlog');
  await writeFile(join(folder.path, 'issues/T-4.md'), '---\nstate: [\n---\n# T-4\n');
  const {code, stdout} = await supervisorCommand(['--dry-run'], {cwd: folder.path});
  assert.equal(code, 0);
  assert.match(stdout, /3 issues are in states that are not active: Todo 2, Backlog 1\n/);
  assert.match(stdout, /1 of p cannot be read:\n {2}\S*T-4\.md:\d+/);
  const json = await supervisorCommand(['--dry-run', '--json'], {cwd: folder.path});
  assert.deepEqual(JSON.parse(json.stdout).other_states, [
    {project: 'p', state: 'Todo', count: 2},
    {project: 'p', state: 'Backlog', count: 1},
  ]);
});

test('--dry-run works beside a supervisor, and sees what that holds', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using supervisor = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  // A run can start before the supervisor listens for commands.
  await supervisor.shows('the run', ({running}) => running.length === 1);
  const paused = await supervisorCommand(['pause'], {cwd: folder.path});
  assert.equal(paused.code, 0, paused.stderr);
  await writeIssue(folder.path, 'T-2', 'Todo');
  const {code, stdout} = await supervisorCommand(['--dry-run', '--json'], {cwd: folder.path});
  assert.equal(code, 0);
  const plan = JSON.parse(stdout);
  assert.deepEqual(plan.dispatch, []);
  const reasons = plan.not_dispatched.map(
    (row: {issue_identifier: string; reason: string}) => `${row.issue_identifier}: ${row.reason}`,
  );
  assert.deepEqual(reasons, ['T-1: running already', 'T-2: dispatch is paused']);
});

test('--dry-run with a tracker that cannot be read: exit 1, and why', async () => {
  await using folder = await aProject('false', [], {
    tracker: {kind: 'file', provider: {path: './no'}},
  });
  const {code, stderr} = await supervisorCommand(['--dry-run'], {cwd: folder.path});
  assert.equal(code, 1);
  assert.match(stderr, /the tracker could not be read\np: tracker_request: .*cannot be read/);
});

test('--once: one tick, its runs, exit 0; the rest is left for the next start', async () => {
  await using puppet = await AgentPuppet.listen();
  const settings = {agent: {max_concurrent_agents: 1, max_turns: 1}};
  await using folder = await aProject(puppet.command, ['T-1', 'T-2'], settings);
  await using supervisor = new SupervisorRig(folder.path, ['--once']);
  const turn = await puppet.nextTurn();
  await turn.runs('echo hello > hello.txt');
  await turn.completes();
  assert.deepEqual(await supervisor.exited, {code: 0, signal: null});
  assert.equal(supervisor.log.filter(({event}) => event === 'run.started').length, 1);
  await assert.rejects(readdir(join(folder.path, 'workspaces/T-2')), {code: 'ENOENT'});
});

test('--once: a run that fails is exit 1, and is named', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await using supervisor = new SupervisorRig(folder.path, ['--once']);
  const turn = await puppet.nextTurn();
  await turn.fails('no more');
  assert.equal((await supervisor.exited).code, 1);
  assert.match(
    supervisor.stderr,
    /some runs did not end normally\nT-1: failed: turn_failed: .*no more/,
  );
});
