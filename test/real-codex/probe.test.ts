import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ProbeResult} from '@symphony-supervisor/protocol';
import {aProbe} from '../rig/fixtures/job.ts';
import manifest from './package.json' with {type: 'json'};
import {Scene} from './scene.ts';

test('a probe tells the version, and that the agent is logged in', async (t) => {
  await using scene = await Scene.open(t);
  assert.deepEqual(await probed(scene), {
    version: manifest.dependencies['@openai/codex'],
    logged_in: true,
    failure: null,
  });
  assert.deepEqual([scene.stub.requests, scene.stub.unexpected], [[], []]);
});

test('a probe finds out that nobody is logged in', async (t) => {
  await using scene = await Scene.open(t, {provider: 'openai'});
  const {logged_in, failure} = await probed(scene);
  assert.equal(logged_in, false);
  assert.equal(failure?.code, 'unauthorized');
});

test('a probe finds out that there is no such command', async (t) => {
  await using scene = await Scene.open(t);
  const {version, logged_in, failure} = await probed(scene, 'no-such-codex app-server');
  assert.deepEqual([version, logged_in, failure?.code], [null, null, 'agent_not_found']);
});

async function probed(scene: Scene, command = scene.home.command): Promise<ProbeResult> {
  await using runner = scene.start(aProbe(scene.folder, {agent: {command}}));
  const {result} = await runner.heard('probed');
  await runner.exited;
  return result;
}
