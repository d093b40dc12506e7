import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {after} from 'node:test';
import {shows} from '../case.ts';
import {isLetGo} from '../rig/answers.ts';
import {Linear} from '../rig/linear.ts';
import {Scene, works} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

const AGENT_LABEL = {labels: ['Agent']};
const scene = await Scene.set({
  settings: {
    tracker: {kind: 'file', required_labels: ['agent']},
    hooks: {before_remove: 'echo "$SYMPHONY_ISSUE_IDENTIFIER" >> ../../removed'},
  },
});
after(() => scene[Symbol.asyncDispose]());
const {project} = scene;
const issues = ['T-1', 'T-2', 'T-3', 'T-4', 'T-5', 'T-6'];
for (const issue of issues) await project.issue(issue, AGENT_LABEL);
const supervisor = scene.start();

async function statusOf(issue: string): Promise<string> {
  return (await supervisor.issue(issue)).status;
}

async function released(issue: string): Promise<void> {
  await until(`${issue} released`, async () => isLetGo(await statusOf(issue)));
}

function workspaceOf(issue: string): string {
  return join(project.path, 'workspaces', issue);
}

shows(
  ['3.reconcile.terminal', '6.before-remove'],
  'terminal: the run is stopped, before_remove runs, then the workspace is deleted',
  async () => {
    const turn = await scene.turn('T-1');
    assert.ok(existsSync(workspaceOf('T-1')));
    await project.issue('T-1', {...AGENT_LABEL, state: 'Done'});
    await turn.agent.gone;
    await released('T-1');
    assert.deepEqual(await project.lines('removed'), ['T-1']);
    assert.ok(!existsSync(workspaceOf('T-1')));
    const {runs} = await supervisor.issue('T-1');
    assert.deepEqual(
      runs.map(({outcome}) => outcome),
      ['canceled_by_reconciliation'],
    );
  },
);

shows(['3.reconcile.active'], 'active and routable: our copy is refreshed', async () => {
  const turn = await scene.turn('T-2');
  await project.issue('T-2', {...AGENT_LABEL, state: 'In Progress'});
  await supervisor.seen('the new state', ({running}) =>
    running.some((row) => row.issue_identifier === 'T-2' && row.state === 'In Progress'),
  );
  assert.equal((await turn.runs('echo still here')).output.trim(), 'still here');
});

const LEAVES = [
  {
    ...{rule: '3.reconcile.unroutable', issue: 'T-3', what: 'no longer routable'},
    change: () => project.issue('T-3'),
  },
  {
    ...{rule: '3.reconcile.inactive', issue: 'T-4', what: 'neither active nor terminal'},
    change: () => project.issue('T-4', {...AGENT_LABEL, state: 'Backlog'}),
  },
  {
    ...{rule: '3.reconcile.gone', issue: 'T-5', what: 'gone'},
    change: () => project.removeIssue('T-5'),
  },
];
for (const {rule, issue, what, change} of LEAVES) {
  shows([rule], `${what}: the run is stopped, and its workspace is kept`, async () => {
    const turn = await scene.turn(issue);
    await works(turn);
    await change();
    await turn.agent.gone;
    await released(issue);
    assert.ok(existsSync(join(workspaceOf(issue), 'work.txt')));
  });
}

shows(
  ['3.reconcile.waiting', '4.let-go.left'],
  'a held issue is reconciled, too: over is cleaned and released',
  async () => {
    await scene.turn('T-6');
    await supervisor.order('T-6/stop');
    await until('T-6 held', async () => (await statusOf('T-6')) === 'held');
    assert.ok(existsSync(workspaceOf('T-6')));
    await project.issue('T-6', {...AGENT_LABEL, state: 'Done'});
    await released('T-6');
    assert.ok(!existsSync(workspaceOf('T-6')));
  },
);

shows(
  ['3.reconcile.failed', '3.publish', '8.tracker-down', '9.exit.unreachable'],
  'a tracker that is down stops no run, is told, and later everything is made up for',
  async () => {
    await using linear = await Linear.open();
    const issue = linear.world.addIssue(linear.team);
    await using there = await Scene.set({settings: {tracker: linear.settings}});
    const life = there.start([], linear.env);
    const turn = await there.turn('LIN-1');
    linear.proxy.always({is: 'drop'});
    linear.world.move(issue, 'Done');
    await life.seen('the failure', ({last_error}) => last_error !== null);
    assert.equal((await turn.runs('echo on')).output.trim(), 'on');
    assert.equal((await life.state()).counts.running, 1);
    linear.proxy.always(null);
    await turn.agent.gone;
    await life.seen('an empty list', ({counts}) => counts.running === 0);
  },
);

shows(['3.never-blocked'], 'while the tracker hangs, a stop and a snapshot go on', async () => {
  await using linear = await Linear.open();
  linear.world.addIssue(linear.team);
  await using there = await Scene.set({settings: {tracker: linear.settings}});
  const life = there.start([], linear.env);
  const turn = await there.turn('LIN-1');
  const before = linear.proxy.seen.length;
  linear.proxy.always({is: 'hang'});
  await linear.proxy.requests(before + 1);
  await life.order('LIN-1/stop');
  await turn.agent.gone;
  await life.seen('no run', ({counts}) => counts.running === 0);
});
