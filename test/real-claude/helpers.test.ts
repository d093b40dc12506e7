import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FREE, say, useTool} from '../rig/messages-stub/message-step.ts';
import {until} from '../rig/survivors.ts';
import {aScene} from './scene.ts';

const ONE = {usage: {...FREE, input: 1}};

test('a turn that Claude Code takes by itself is not taken for ours, and what it uses is counted', async () => {
  await using scene = await aScene();
  const {stub} = scene;
  const sleep = {command: 'sleep 1; echo slept', description: 'Sleeps.', run_in_background: true};
  stub.answers([useTool('Bash', sleep, ONE), say('it sleeps', ONE), say('it woke up', ONE)]);
  stub.answers([say('it woke up', ONE)], {when: ({prompt}) => /task-notification/.test(prompt)});
  stub.answers([say('the second', ONE)], {when: ({prompt}) => prompt === 'And then?'});
  await using conversation = scene.talk();
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Sleep.'), null);
  assert.equal(conversation.told().message, 'it sleeps');
  await until(async () => (conversation.told().message === 'it woke up' ? true : null));
  assert.equal(conversation.told().message, 'it woke up');
  assert.equal(await conversation.turn('And then?'), null);
  assert.equal(conversation.told().message, 'the second');
  assert.equal(conversation.started.length, 2);
  assert.equal(conversation.progress.meter.run.total_tokens, 4);
});

test('a helper is shown, ends no turn, and is counted once', async () => {
  await using scene = await aScene();
  const {stub} = scene;
  const task = {
    description: 'Look',
    prompt: 'Look around, helper.',
    subagent_type: 'general-purpose',
  };
  stub.answers([say('I looked', ONE)], {when: ({prompt}) => /Look around, helper/.test(prompt)});
  stub.answers([useTool('Task', task, ONE), say('all is well', ONE)], {
    when: ({prompt}) => prompt === 'Work.',
  });
  await using conversation = scene.talk();
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  assert.equal(conversation.told().message, 'all is well');
  assert.equal(conversation.progress.meter.run.total_tokens, 3);
  const lines = await conversation.transcript();
  assert.ok(lines.some(({ev, text}) => ev === 'message' && text === '(helper) I looked'));
});
