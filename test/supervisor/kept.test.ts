import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig, writeIssue} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';
import {until} from '../rig/survivors.ts';

const run = promisify(execFile);
const COMMIT =
  'git config user.email a@example.test; git config user.name A; echo work > work; git add work; git commit -qm work';

test('finished work that nobody has is kept, shown everywhere, and removed by an order', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_create: 'git init -q', before_remove: 'touch ../../removed'};
  await using folder = await aProject(puppet.command, ['T-1'], {hooks});
  const workspace = join(folder.path, 'workspaces/T-1');
  const command = (...args: string[]) => supervisorCommand(args, {cwd: folder.path});
  {
    await using supervisor = new SupervisorRig(folder.path);
    const turn = await puppet.nextTurn();
    assert.equal((await turn.runs(COMMIT)).exitCode, 0);
    await writeIssue(folder.path, 'T-1', 'Done');
    await turn.completes();
    const {kept, counts} = await supervisor.shows('kept', (shown) => shown.kept.length > 0);
    assert.equal(counts.kept, 1);
    assert.equal(kept[0]?.reason, '1 commit not pushed');
    assert.equal(kept[0]?.workspace_path, workspace);
    await supervisor.logged('workspace.kept', 'p/T-1');
    assert.ok(existsSync(join(workspace, 'work')));
    assert.equal(existsSync(join(folder.path, 'removed')), false);
    assert.match((await command('status')).stdout, /^T-1 +Done .* 1 commit not pushed .*T-1$/m);
    // What came out of it is on record, too.
    const [ended] = JSON.parse((await command('history', 'T-1', '--json')).stdout);
    assert.equal(ended.issue_title, 'T-1');
    assert.equal(ended.state, 'Done');
    assert.equal(ended.workspace_path, workspace);
    assert.equal(ended.made.commits, 1);
    assert.match((await command('history')).stdout, /1 commit \+1 -0 \S+ [0-9a-f]{7} +T-1$/m);
    const shown = await supervisor.issue('T-1');
    assert.deepEqual(
      [shown.status, shown.state, shown.issue_title, shown.workspace.path],
      ['done', 'Done', 'T-1', workspace],
    );
    supervisor.process.kill('SIGTERM');
    await supervisor.exited;
  }
  const doctor = await command('doctor');
  assert.match(doctor.stdout, /kept workspaces: 1: T-1 .*1 commit not pushed/);

  // The next life knows of it, looks at it again, and says nothing new.
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.shows('kept', (shown) => shown.kept.length > 0);
  const asked = await command('clean', 'T-1');
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /--yes/);
  const none = await command('clean', 'T-9', '--yes');
  assert.equal(none.code, 1);
  assert.ok(existsSync(join(workspace, 'work')));
  // While the sweep looks at it, it is a conflict.
  await supervisor.shows('nothing being cleaned', ({stopping}) => stopping.length === 0);
  const cleaned = await command('clean', 'T-1', '--yes');
  assert.equal(cleaned.code, 0, cleaned.stderr);
  await supervisor.shows('nothing kept', (shown) => shown.kept.length === 0);
  assert.equal(existsSync(workspace), false);
  assert.ok(existsSync(join(folder.path, 'removed')));
  assert.ok(!supervisor.log.some(({event}) => event === 'workspace.kept'));
  const orders = await command('actions', 'T-1');
  assert.match(orders.stdout, /clean/);
});

test('delivered meanwhile, a kept workspace goes with the next sweep', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1'], {
    hooks: {after_create: 'git clone -q ../../origin.git . 2>/dev/null'},
  });
  const origin = join(folder.path, 'origin.git');
  await run('git', ['init', '-q', '--bare', origin]);
  const workspace = join(folder.path, 'workspaces/T-1');
  {
    await using supervisor = new SupervisorRig(folder.path);
    const turn = await puppet.nextTurn();
    assert.equal((await turn.runs(COMMIT)).exitCode, 0);
    await writeIssue(folder.path, 'T-1', 'Done');
    await turn.completes();
    await supervisor.logged('workspace.kept', 'p/T-1');
  }
  await run('git', ['-C', workspace, 'push', '-q', origin, 'HEAD:refs/heads/work']);
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.shows(
    'nothing kept',
    ({kept, supervisor: {started_at}}) => Boolean(started_at) && kept.length === 0,
  );
  // It is no longer kept from the moment in which it is about to be removed.
  const left = () => readdir(join(folder.path, 'workspaces'));
  await until(async () => ((await left()).includes('T-1') ? null : true));
  assert.deepEqual(await left(), ['.symphony']);
});
