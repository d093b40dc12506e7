import assert from 'node:assert/strict';
import {shows} from '../case.ts';
import {aDelivery, Linear, NEVER} from '../rig/linear.ts';
import {issueOf, Scene} from '../rig/scene.ts';
import {until} from '../rig/until.ts';

shows(
  ['3.start.at-once', '3.refill', '3.refresh', '3.slots.project', '4.handoff', '9.api.refresh'],
  'the first tick comes at once; a freed slot and a refresh do not wait for the next poll',
  async () => {
    await using linear = await Linear.open();
    linear.world.addIssue(linear.team);
    linear.world.addIssue(linear.team);
    const tracker = {...linear.settings, handoff_state: 'In Review'};
    const agent = {max_concurrent_agents: 1, max_turns: 1};
    await using scene = await Scene.set({settings: {tracker, agent, polling: NEVER}});
    const supervisor = scene.start([], linear.env);

    const first = await scene.turn('LIN-1');
    const {running, waiting} = await supervisor.seen('who waits', ({waiting, ...rest}) =>
      waiting.length > 0 ? {...rest, waiting} : null,
    );
    assert.deepEqual(
      running.map(({issue_identifier}) => issue_identifier),
      ['LIN-1'],
    );
    assert.deepEqual(
      waiting.map(({issue_identifier, reason}) => `${issue_identifier}: ${reason}`),
      ['LIN-2: no available orchestrator slots (project_full)'],
    );
    await first.completes();
    const second = await scene.turn('LIN-2');
    assert.equal(linear.world.issues[0]?.state.name, 'In Review');
    await second.completes();
    await supervisor.seen('nothing left', ({counts}) => counts.running === 0);

    linear.world.addIssue(linear.team);
    const {status, body} = await supervisor.ask<object>('POST', '/api/v1/refresh');
    assert.equal(status, 202);
    for (const key of ['queued', 'coalesced', 'requested_at', 'operations']) {
      assert.ok(key in body, key);
    }
    assert.equal(issueOf(await scene.turn()), 'LIN-3');
  },
);

shows(
  ['3.webhook', '9.webhook', '9.webhook.forged'],
  'a signed webhook starts a tick at once, and needs no token; a forged one is refused',
  async () => {
    await using linear = await Linear.open();
    const settings = {tracker: linear.settings, polling: NEVER};
    await using scene = await Scene.set({settings});
    const supervisor = scene.start(['--port', '0'], linear.env);
    await until('the first tick', () => linear.proxy.seen.length > 0);
    await supervisor.seen('its end', ({polling}) => !polling.checking);

    linear.world.addIssue(linear.team);
    const {dashboard_url: fixed} = await supervisor.pointer();
    const url = new URL('/webhooks/p', fixed ?? '');
    const before = linear.proxy.seen.length;
    assert.equal((await fetch(url, aDelivery('another secret'))).status, 401);
    assert.equal(linear.proxy.seen.length, before);
    assert.equal((await fetch(url, aDelivery())).status, 202);
    assert.equal(issueOf(await scene.turn()), 'LIN-1');
  },
);

shows(
  ['3.file-change', '3.one-bad-issue', '3.eligible.fields'],
  'a changed file of the file tracker starts a tick at once; a bad one hides no other',
  async () => {
    await using scene = await Scene.set({settings: {polling: NEVER}});
    const supervisor = scene.start();
    await supervisor.seen('the first tick', ({projects}) => projects[0]?.candidates === 0);
    await scene.project.issue('A-1', {state: '', title: ''});
    await scene.project.issue('T-1');
    assert.equal(issueOf(await scene.turn()), 'T-1');
    const {running} = await supervisor.state();
    assert.deepEqual(
      running.map(({issue_identifier}) => issue_identifier),
      ['T-1'],
    );
    assert.match(supervisor.output, /A-1\.md/);
  },
);

shows(['3.next'], 'the next tick is due an interval after the last one ended', async () => {
  await using linear = await Linear.open();
  await using scene = await Scene.set({settings: {tracker: linear.settings}});
  const supervisor = scene.start([], linear.env);
  await until('some ticks', () => linear.proxy.seen.length > 2);
  linear.world.addIssue(linear.team);
  assert.equal(issueOf(await scene.turn()), 'LIN-1');
  assert.equal((await supervisor.state()).polling.interval_ms, 300);
});
