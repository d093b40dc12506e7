import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {test} from 'node:test';
import {promisify} from 'node:util';
import type {AgentJobOf, RunFailure} from '@symphony-supervisor/protocol';
import {claude} from '../../packages/runner/src/agent/claude/agent.ts';
import {probeWith} from '../../packages/runner/test/agent/contract/conversation.ts';
import {say} from '../rig/messages-stub/message-step.ts';
import {aClaude} from './claude-home.ts';
import {aScene, type Scene} from './scene.ts';

const NOT_ROOT = process.getuid?.() === 0 ? false : 'only root is refused';

test('bypassPermissions as root is refused with what to do', {skip: NOT_ROOT}, async () => {
  await using scene = await aScene();
  await assertRefused(scene, {permission_mode: 'bypassPermissions'}, /bypass_root.*another user/s);
});

test('a sandbox that must be there, and is not, is refused with what to do', async () => {
  await using scene = await aScene();
  // Nothing but what the shell needs: whatever this machine has installed is out of reach.
  const command = `PATH=/nowhere ${aClaude().command}`;
  const asked = /sandbox_required_unavailable.*install bubblewrap and socat/s;
  await assertRefused(scene, {sandbox: 'on', command}, asked);
});

test('the model and the effort of the workflow are asked for', async () => {
  await using scene = await aScene();
  scene.stub.answers([say('done')]);
  await using conversation = scene.talk({model: 'claude-opus-4-5', effort: 'low'});
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  assert.equal(scene.stub.requests[0]?.body.model, 'claude-opus-4-5');
  assert.deepEqual(
    conversation.progress.measured.models.map(({model}) => model),
    ['claude-opus-4-5'],
  );
});

test('the version is the one that the command line tells', async () => {
  await using scene = await aScene();
  const {version} = await probeWith(claude, aClaude(), scene.place);
  const {stdout} = await promisify(execFile)(aClaude().command.replace(/^exec '|'$/g, ''), ['-v']);
  assert.equal(version, stdout.split(' ')[0]);
});

async function assertRefused(
  {place, talk}: Scene,
  fields: Partial<AgentJobOf<'claude'>>,
  message: RegExp,
): Promise<void> {
  const isRefusal = (error: unknown): boolean => {
    const {code, message: said} = (error as RunFailure).failure;
    assert.equal(code, 'agent_incompatible');
    assert.match(said, message);
    return true;
  };
  await using conversation = talk(fields);
  await assert.rejects(conversation.session.start(null), isRefusal);
  await assert.rejects(probeWith(claude, aClaude(fields), place), isRefusal);
}
