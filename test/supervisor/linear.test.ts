import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {FaultProxy} from '../../packages/tracker/test/servers/fault-proxy.ts';
import {KEY, LinearServer} from '../../packages/tracker/test/servers/linear-server.ts';
import {LinearWorld} from '../../packages/tracker/test/servers/linear-world.ts';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

/** A Linear workspace, a project on it, and an agent in the hands of the test. */
async function scene(issues: number, proxied = false) {
  const puppet = await AgentPuppet.listen();
  const world = new LinearWorld();
  const team = world.addTeam('LIN');
  const made = Array.from({length: issues}, () => world.addIssue(team, 'Todo'));
  const server = await LinearServer.over(world);
  const proxy = proxied ? await FaultProxy.before(server.url) : null;
  const tracker = {
    kind: 'linear',
    in_progress_state: 'In Progress',
    handoff_state: 'In Review',
    provider: {
      endpoint: (proxy?.url ?? server.url).href,
      team_key: 'LIN',
      api_key: KEY,
    },
  };
  const folder = await aProject(puppet.command, [], {tracker, agent: {max_turns: 1}});
  return {
    ...{puppet, world, server, proxy, folder, issues: made},
    async [Symbol.asyncDispose]() {
      for (const part of [folder, proxy, server, puppet]) await part?.[Symbol.asyncDispose]();
    },
  };
}

test('issues of Linear are marked as in progress, worked on, and handed off', async () => {
  await using at = await scene(2);
  await using supervisor = new SupervisorRig(at.folder.path);
  for (const turn of [await at.puppet.nextTurn(), await at.puppet.nextTurn()]) {
    await turn.callsTool('linear_issue', {comment: 'I am on it.'});
    await turn.completes();
  }
  for (const issue of at.issues) {
    await supervisor.logged('claim.released', `p/${issue.id}`);
    assert.equal(issue.state.name, 'In Review');
    assert.deepEqual(issue.comments, ['I am on it.']);
  }
});

test('a run that closes its own issue with its tool ends in good order, and its workspace goes', async () => {
  await using at = await scene(1);
  await using supervisor = new SupervisorRig(at.folder.path);
  const turn = await at.puppet.nextTurn();
  await turn.callsTool('linear_issue', {state: 'Done'});
  await turn.completes();
  const [issue] = at.issues;
  await supervisor.logged('claim.released', `p/${issue?.id}`);
  assert.equal(issue?.state.name, 'Done');
  assert.ok(!supervisor.log.some(({outcome}) => outcome === 'canceled_by_reconciliation'));
});

test('while the tracker asks to wait, runs go on and nothing new is started', async () => {
  await using at = await scene(1, true);
  await using supervisor = new SupervisorRig(at.folder.path);
  const turn = await at.puppet.nextTurn();
  at.proxy?.always({is: 'answer', status: 429, headers: {'retry-after': '3600'}});
  await supervisor.logged('tracker.failed');
  const before = at.proxy?.seen.length;
  await turn.runs('echo still here > file');
  const told = await until(async () =>
    supervisor.log.some(({reason}) => String(reason).includes('tracker_rate_limited'))
      ? true
      : null,
  );
  assert.ok(told, 'nobody was told why');
  assert.equal(
    at.proxy?.seen.length,
    before,
    'it was asked again although it wants to be left alone',
  );
});
