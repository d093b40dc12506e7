import assert from 'node:assert/strict';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, reaches, SupervisorRig} from '../rig/supervisor.ts';
import {startSupervisorCommand} from '../rig/supervisor-command.ts';
import {until} from '../rig/survivors.ts';

test('whoever reads stdout goes away: the service goes on, and the files have it all', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  const child = startSupervisorCommand([], {cwd: folder.path});
  using _end = {[Symbol.dispose]: () => void child.kill('SIGKILL')};
  child.stdout.destroy();
  const turn = await puppet.nextTurn();
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
  await reaches(folder.path, 'T-1', 'Done');
  const log = await until(async () => {
    const text = await readFile(join(folder.path, '.symphony/logs/supervisor.log'), 'utf8');
    return text.includes('claim.released') ? text : null;
  });
  assert.match(log ?? '', /"msg":"stdout cannot be written"/);
  assert.equal(child.exitCode, null);
});

test('a log file that cannot be written: told on stdout, and the service goes on', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  // A folder in its place, which no user may write to.
  await mkdir(join(folder.path, 'logs/supervisor.log'), {recursive: true});
  await using supervisor = new SupervisorRig(folder.path, ['--logs-root', 'logs']);
  await supervisor.logged('log.failing');
  const turn = await puppet.nextTurn();
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
  await supervisor.logged('claim.released', 'p/T-1');
});

test('what a workflow file is warned of is in the log, once, at the start and after a change', async () => {
  await using folder = await aProject('false', [], {polling: {interval_ms: 100, intervall: 5}});
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('workflow.warning');
  const path = join(folder.path, 'WORKFLOW.md');
  const warned = () => supervisor.log.filter(({event}) => event === 'workflow.warning');
  const [first] = warned();
  assert.deepEqual(
    {...first, time: null, column: null},
    {
      ...{level: 'warn', time: null, event: 'workflow.warning', project: 'p'},
      ...{path, line: 2, column: null, key: 'polling.intervall', msg: 'workflow.warning'},
      reason: 'polling.intervall is not a known key; did you mean interval_ms?',
    },
  );
  assert.match(supervisor.stderr, /warning: .*polling\.intervall/);

  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('intervall', 'interva'));
  const second = await until(async () => warned()[1] ?? null);
  assert.match(second?.reason ?? '', /polling\.interva is not a known key/);
  assert.equal(warned().length, 2);
});
