import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {shows} from '../case.ts';
import {isLetGo} from '../rig/answers.ts';
import {issueOf, Scene} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

shows(
  [
    ...['3.eligible.active', '3.eligible.required', '3.eligible.excluded', '3.eligible.blockers'],
    ...['3.eligible.blockers.unknown', '3.eligible.blockers.started', '2.running'],
  ],
  'only what is active, routable and not blocked is taken, and all else says why not',
  async () => {
    const tracker = {kind: 'file', required_labels: ['agent'], excluded_labels: ['never']};
    await using scene = await Scene.set({settings: {tracker}});
    const {project} = scene;
    const labels = ['AGENT'];
    await project.issue('backlog', {labels, state: 'Backlog'});
    await project.issue('done', {labels, state: 'Done'});
    await project.issue('plain', {});
    await project.issue('excluded', {labels: ['agent', 'Never']});
    await project.issue('blocked', {labels, blocked_by: ['backlog']});
    await project.issue('unknown', {labels, blocked_by: ['nowhere']});
    await project.issue('unblocked', {labels, blocked_by: ['done']});
    await project.issue('started', {labels, state: 'In Progress', blocked_by: ['backlog']});
    const supervisor = scene.start();
    const {running, waiting} = await supervisor.seen('two runs', (state) =>
      state.running.length >= 2 && state.waiting.length > 0 ? state : null,
    );
    assert.deepEqual(running.map(({issue_identifier}) => issue_identifier).sort(), [
      'started',
      'unblocked',
    ]);
    for (const {phase} of running) assert.match(phase, /^[a-z_]+$/);
    const reasons = new Map(waiting.map((row) => [row.issue_identifier, row.reason]));
    assert.match(reasons.get('blocked') ?? '', /blocked by backlog/);
    assert.match(reasons.get('unknown') ?? '', /blocked by nowhere/);
    await scene.turn('started');
    await scene.turn('unblocked');
    assert.equal((await supervisor.state()).counts.running, 2);
  },
);

shows(
  ['3.order.priority', '3.order.age', '3.order.identifier'],
  'priority 1 to 4, then everything else; then the oldest; then by identifier',
  async () => {
    const settings = {
      tracker: {kind: 'file', handoff_state: 'Review'},
      agent: {max_concurrent_agents: 1, max_turns: 1},
    };
    await using scene = await Scene.set({settings});
    const {project} = scene;
    const at = (year: number) => ({created_at: `${year}-01-01T00:00:00Z`});
    await project.issue('last', {...at(2023)});
    await project.issue('b-twin', {...at(2022)});
    await project.issue('a-twin', {...at(2022)});
    await project.issue('oldest-of-none', {...at(2019), priority: 9});
    await project.issue('low', {...at(2001), priority: 4});
    await project.issue('high', {...at(2023), priority: 2});
    await project.issue('urgent', {...at(2024), priority: 1});
    scene.start();
    const order: string[] = [];
    while (order.length < 7) {
      const turn = await scene.turn();
      order.push(issueOf(turn));
      await turn.completes();
    }
    assert.deepEqual(order, [
      ...['urgent', 'high', 'low', 'oldest-of-none'],
      ...['a-twin', 'b-twin', 'last'],
    ]);
  },
);

shows(
  ['3.slots.state'],
  "a state's own limit counts, and leaves the other slots to other states",
  async () => {
    const agent = {max_concurrent_agents: 3, max_concurrent_agents_by_state: {' TODO ': 1}};
    await using scene = await Scene.set({settings: {agent}});
    for (const name of ['T-1', 'T-2']) await scene.project.issue(name, {priority: 1});
    for (const name of ['P-1', 'P-2', 'P-3']) {
      await scene.project.issue(name, {state: 'In Progress'});
    }
    const supervisor = scene.start();
    const {running} = await supervisor.seen('three runs', (state) =>
      state.running.length >= 3 && state.waiting.length === 2 ? state : null,
    );
    assert.deepEqual(running.map(({state}) => state).sort(), [
      'In Progress',
      'In Progress',
      'Todo',
    ]);
  },
);

shows(
  ['3.own-transition', '4.no-longer-active', '7.tools', '7.tools.unknown'],
  'a run that closes its issue by its own tool ends its turn in good order, and is cleaned',
  async () => {
    await using scene = await Scene.set({
      settings: {hooks: {after_run: 'echo "$SYMPHONY_OUTCOME" >> ../../outcomes'}},
    });
    await scene.project.issue('T-1');
    const supervisor = scene.start();
    const turn = await scene.turn('T-1');
    assert.match(JSON.stringify(await turn.callsTool('no_such_tool')), /"success":false/);
    const answer = await turn.callsTool('update_issue', {state: 'Done'});
    assert.match(JSON.stringify(answer), /"success":true/);
    await scene.project.reaches('T-1', 'Done');
    await supervisor.ask('POST', '/api/v1/refresh');
    await supervisor.seen('its new state', ({running}) => running[0]?.state === 'Done');
    assert.equal((await turn.runs('echo one more thing')).exitCode, 0);
    await turn.completes();
    await until('released', async () => isLetGo((await supervisor.issue('T-1')).status));
    assert.equal((await supervisor.issue('T-1')).runs[0]?.outcome, 'succeeded');
    assert.deepEqual(await scene.project.lines('outcomes'), ['succeeded']);
    assert.ok(!existsSync(join(scene.project.path, 'workspaces/T-1')));
  },
);

shows(
  ['3.start.sweep', '3.sweep.unmatched'],
  'at the start, workspaces of finished issues go; what matches none is never touched',
  async () => {
    await using scene = await Scene.set();
    const root = join(scene.project.path, 'workspaces');
    await mkdir(join(root, 'T-1'), {recursive: true});
    await mkdir(join(root, 'somebodys'));
    await scene.project.issue('T-1', {state: 'Done'});
    scene.start();
    await until('the sweep', () => !existsSync(join(root, 'T-1')));
    assert.ok(existsSync(join(root, 'somebodys')));
  },
);
