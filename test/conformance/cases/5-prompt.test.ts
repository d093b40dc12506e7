import assert from 'node:assert/strict';
import {shows} from '../case.ts';
import {Scene, works} from '../rig/scene.ts';

shows(
  ['5.later-turns', '5.changed', '7.next-turn', '7.max-turns', '7.session', '7.thread-name'],
  'later turns get guidance on the same thread up to max_turns; a changed task comes whole again',
  async () => {
    await using scene = await Scene.set({
      settings: {agent: {max_turns: 2}},
      prompt: 'Task: {{issue.title}}',
    });
    await scene.project.issue('T-1', {title: 'First'});
    const supervisor = scene.start();
    const first = await scene.turn('T-1');
    assert.equal(first.input, 'Task: First');
    const {session_id} = await supervisor.seen('the session', ({running}) =>
      running.find((row) => row.session_id !== null),
    );
    assert.equal(session_id, `${first.threadId}-${first.id}`);
    const named = await first.agent.hears('thread/name/set');
    assert.match(JSON.stringify(named), /"T-1: First"/);
    await works(first);
    await first.completes();

    const second = await scene.turn('T-1');
    assert.deepEqual([second.agent.pid, second.threadId], [first.agent.pid, first.threadId]);
    assert.doesNotMatch(second.input, /Task:/);
    assert.match(second.input, /2/);
    await second.completes();

    const continued = await scene.turn('T-1');
    assert.notEqual(continued.agent.pid, first.agent.pid);
    assert.equal(continued.threadId, first.threadId);
    assert.equal((await supervisor.issue('T-1')).runs[0]?.turns, 2);
    await scene.project.issue('T-1', {title: 'Second'});
    await supervisor.order('T-1/stop');
    await continued.agent.gone;
    await supervisor.seen('the hold', ({counts}) => counts.held === 1);
    await supervisor.order('T-1/retry');
    const changed = await scene.turn('T-1');
    assert.equal(changed.threadId, first.threadId);
    assert.match(changed.input, /Task: Second/);
  },
);

shows(['5.empty'], 'an empty body is a short default prompt with the issue, fenced', async () => {
  await using scene = await Scene.set({prompt: ''});
  await scene.project.issue('T-1', {
    title: 'Paint it',
    description: 'Blue.\n```\nnot a fence\n```',
  });
  scene.start();
  const {input} = await scene.turn('T-1');
  for (const part of ['T-1', 'Paint it', 'Blue.', 'not a fence']) assert.ok(input.includes(part));
  assert.match(input, /^````+/m);
});
