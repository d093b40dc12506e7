import assert from 'node:assert/strict';
import {shows} from '../case.ts';
import {isLetGo} from '../rig/answers.ts';
import {Linear, NEVER} from '../rig/linear.ts';
import {Scene, works} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

shows(
  ['1.reload.at-once', '1.reload.later-runs', '1.reload.root', '1.reload.together'],
  'a good change: limits count at once, prompt, hooks and root for runs that start later',
  async () => {
    const agent = {max_concurrent_agents: 1, max_turns: 1};
    await using scene = await Scene.set({settings: {agent}});
    await scene.project.issue('T-1', {priority: 1});
    await scene.project.issue('T-2', {priority: 2});
    const supervisor = scene.start();
    const first = await scene.turn('T-1');
    await works(first);
    const changes = {
      agent: {max_concurrent_agents: 2, max_turns: 1},
      workspace: {root: './elsewhere'},
      hooks: {before_run: 'echo "$PWD" >> ../../ran'},
    };
    await scene.project.writeWorkflow(changes, 'Now: {{issue.identifier}}.');
    const second = await scene.turn('T-2');
    assert.equal(second.input, 'Now: T-2.');
    assert.deepEqual(await scene.project.lines('ran'), [`${scene.project.path}/elsewhere/T-2`]);
    assert.equal((await supervisor.state()).counts.running, 2);

    await first.completes();
    const again = await scene.turn('T-1');
    assert.notEqual(again.threadId, first.threadId);
    assert.equal((await again.runs('pwd')).output.trim(), `${scene.project.path}/elsewhere/T-1`);
    assert.equal(again.input, 'Now: T-1.');
  },
);

shows(
  ['1.reload.bad', '1.reload.bad.reconciled', '3.validate', '9.api.not-ready', '1.reload.watched'],
  'a bad change: what runs goes on, dispatch waits and says why, reconciliation goes on; then mended',
  async () => {
    await using scene = await Scene.set();
    for (const issue of ['T-1', 'T-2']) await scene.project.issue(issue);
    const supervisor = scene.start();
    const closed = await scene.turn('T-1');
    const going = await scene.turn('T-2');
    assert.equal((await supervisor.ask('GET', '/readyz')).status, 200);
    await scene.project.writeText('---\ntracker: {kind: file\n---\nBroken.\n');
    await supervisor.seen('why', ({last_error}) => /WORKFLOW\.md:2:/.test(String(last_error)));
    const ready = await supervisor.ask('GET', '/readyz');
    assert.equal(ready.status, 503);
    assert.match(JSON.stringify(ready.body), /reasons/);

    await scene.project.issue('T-3');
    await scene.project.issue('T-1', {state: 'Done'});
    await closed.agent.gone;
    await until('released', async () => isLetGo((await supervisor.issue('T-1')).status));
    assert.equal((await going.runs('echo on')).exitCode, 0);
    assert.deepEqual(
      (await supervisor.state()).running.map(({issue_identifier}) => issue_identifier),
      ['T-2'],
    );

    await scene.project.writeWorkflow({}, 'Mended: {{issue.identifier}}.');
    assert.equal((await scene.turn('T-3')).input, 'Mended: T-3.');
  },
);

shows(
  ['1.reload.interval', '1.reload.states', '1.limits.zero'],
  'a changed interval sets the poll timer anew; changed states stop what they no longer cover',
  async () => {
    await using linear = await Linear.open();
    linear.world.addIssue(linear.team);
    const agent = {max_consecutive_failures: 0, max_turns: 1, max_retry_backoff_ms: 20};
    const settings = {tracker: linear.settings, polling: NEVER, agent};
    await using scene = await Scene.set({settings});
    const supervisor = scene.start([], linear.env);
    // One more than the default limit would allow.
    for (let run = 1; run <= 6; run++) await (await scene.turn('LIN-1')).fails('boom');
    const going = await scene.turn('LIN-1');

    await scene.project.writeWorkflow({polling: {interval_ms: 200}});
    await supervisor.seen('the interval', ({polling}) => polling.interval_ms === 200);
    linear.world.addIssue(linear.team, 'In Progress');
    const other = await scene.turn('LIN-2');
    await scene.project.writeWorkflow({
      polling: {interval_ms: 200},
      tracker: {active_states: ['In Progress']},
    });
    await going.agent.gone;
    assert.equal((await other.runs('echo on')).exitCode, 0);
  },
);
