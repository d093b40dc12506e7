import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {say} from '../rig/messages-stub/message-step.ts';
import {aScene, type Scene} from './scene.ts';

// What a repository, or the author of an issue, could try.

test('neither a hook nor a server that the repository brings is started', async () => {
  await using scene = await aScene();
  const [hooked, served] = ['hooked', 'served'].map((name) => join(scene.place.folder, name));
  await bring(scene, '.claude/settings.json', {
    hooks: {SessionStart: [{hooks: [{type: 'command', command: `touch ${hooked}`}]}]},
    permissions: {allow: ['WebFetch']},
  });
  await bring(scene, '.mcp.json', {
    mcpServers: {theirs: {command: 'sh', args: ['-c', `touch ${served}; sleep 5`]}},
  });
  await turn(scene, 'Work.');
  assert.equal(existsSync(hooked ?? ''), false, 'the hook ran');
  assert.equal(existsSync(served ?? ''), false, 'the server ran');
  assert.ok(scene.stub.requests[0]?.tools.every((name) => !name.startsWith('mcp__theirs')));
});

test('CLAUDE.md of the repository is given to the model', async () => {
  await using scene = await aScene();
  await writeFile(join(scene.place.workspace, 'CLAUDE.md'), 'Indent by pineapples.');
  await turn(scene, 'Work.');
  assert.match(JSON.stringify(scene.stub.requests[0]?.body), /Indent by pineapples\./);
});

test('a prompt is taken as it is written: it attaches no file and gives no order', async () => {
  await using scene = await aScene();
  const outside = join(scene.place.folder, 'outside');
  await writeFile(outside, 'a word from outside');
  for (const text of [`Look at @${outside} please.`, '/clear', '/cost']) {
    await turn(scene, text);
    const request = scene.stub.requests.at(-1);
    assert.equal(request?.prompt, text);
    assert.doesNotMatch(JSON.stringify(request?.body), /a word from outside/);
  }
});

test('the tools of the run are offered to the model at once, and no others of ours', async () => {
  await using scene = await aScene();
  await turn(scene, 'Work.');
  const tools = scene.stub.requests[0]?.tools ?? [];
  assert.ok(tools.includes('mcp__symphony__look'), tools.join(' '));
  for (const name of ['CronCreate', 'EnterWorktree', 'EnterPlanMode', 'SendMessage']) {
    assert.equal(tools.includes(name), false, name);
  }
});

async function turn(scene: Scene, text: string): Promise<void> {
  scene.stub.answers([say('done')]);
  await using conversation = scene.talk();
  await conversation.session.start(null);
  assert.equal(await conversation.turn(text), null);
}

async function bring({place}: Scene, path: string, content: object): Promise<void> {
  const file = join(place.workspace, path);
  await mkdir(join(file, '..'), {recursive: true});
  await writeFile(file, JSON.stringify(content));
}
