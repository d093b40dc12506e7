import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig, writeIssue} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

const ONE_AGENT = {agent: {max_concurrent_agents: 1}};

test('dismissed issues stay so over a kill and a restart, until they change or are retried', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1', 'T-2', 'T-3'], ONE_AGENT);
  const order = async (...args: string[]) => {
    const {code, stdout, stderr} = await supervisorCommand(args, {cwd: folder.path});
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const names = (rows: readonly {issue_identifier: string}[]) =>
    rows.map((row) => row.issue_identifier).toSorted();
  {
    await using supervisor = new SupervisorRig(folder.path);
    const turn = await puppet.nextTurn();
    await supervisor.shows('who waits', ({counts}) => counts.waiting === 2);
    assert.equal((await supervisor.issue('T-2')).status, 'waiting');
    for (const waiting of ['T-2', 'T-3']) {
      assert.match(await order('dismiss', waiting), /is dismissed until it changes/);
    }
    // An agent may change its issue until it has ended. That is no person's change.
    await writeIssue(folder.path, 'T-1', 'In Progress');
    await order('dismiss', 'T-1');
    await turn.agent.gone;
    const shown = await supervisor.shows('all three', ({counts}) => counts.dismissed === 3);
    assert.deepEqual(names(shown.dismissed), ['T-1', 'T-2', 'T-3']);
    assert.deepEqual([shown.counts.held, shown.supervisor.slots.used], [0, 0]);
    assert.match(await order('dismiss', 'T-1'), /is dismissed/);
    assert.match(await order('status'), /0 held, 0 waiting, 3 dismissed.*^T-1 +In Progress/ms);
    const {status, held} = await supervisor.issue('T-1');
    assert.deepEqual([status, held?.reason], ['dismissed', 'dismissed']);
    await supervisor.kill();
  }
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('supervisor.started');
  await supervisor.shows(
    'a tick',
    ({polling, counts}) => !polling.checking && counts.dismissed === 3,
  );

  await writeFile(join(folder.path, 'issues/T-2.md'), '---\nstate: Todo\n---\n# T-2, after all\n');
  const changed = await puppet.nextTurn();
  assert.match(changed.input, /Work on T-2\./);
  await writeIssue(folder.path, 'T-2', 'Done');
  await changed.completes();
  await order('retry', 'T-3', '--message', 'Please do it.');
  assert.match((await puppet.nextTurn()).input, /Please do it\./);
  const {dismissed} = await supervisor.shows('one left', ({counts}) => counts.dismissed === 1);
  assert.deepEqual(names(dismissed), ['T-1']);
});
