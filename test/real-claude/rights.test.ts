import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {type MessageStep, say, useTool} from '../rig/messages-stub/message-step.ts';
import {aScene, type Scene} from './scene.ts';

type Fields = Partial<AgentJobOf<'claude'>>;

test('with write access it edits, runs commands and commits, and changes nothing outside', async () => {
  await using scene = await aScene();
  const outside = join(scene.place.folder, 'home', 'outside');
  const done = await work(scene, {}, [
    write(join(scene.place.workspace, 'inside')),
    shell(COMMIT),
    write(outside),
  ]);
  assert.deepEqual(done, ['completed', 'completed', 'declined']);
  assert.match(git(scene, 'log', '--oneline'), /made/);
  assert.equal(existsSync(outside), false);
});

test('with artifact access it adds documents, and neither commits nor touches .git', async () => {
  await using scene = await aScene();
  const hook = join(scene.place.workspace, '.git', 'hooks', 'pre-commit');
  const done = await work(scene, {access: 'artifact'}, [
    write(join(scene.place.workspace, 'plan.md')),
    shell('mkdir notes'),
    shell('npm test'),
    shell(COMMIT),
    write(hook),
    shell(`cp plan.md ${hook}`),
  ]);
  assert.deepEqual(done, [
    ...['completed', 'completed', 'declined', 'declined', 'failed', 'declined'],
  ]);
  assert.equal(existsSync(hook), false);
});

test('with read access it reads, and changes nothing', async () => {
  await using scene = await aScene();
  const done = await work(scene, {access: 'read', permission_mode: 'manual'}, [
    shell('ls -la && git status'),
    shell('echo changed > README'),
    shell('rm -rf .git'),
    write(join(scene.place.workspace, 'new')),
  ]);
  assert.deepEqual(done, ['completed', 'declined', 'declined', 'failed']);
  assert.equal(git(scene, 'status', '--porcelain'), '');
});

test('a tool that is neither allowed nor asked for is refused, and the turn goes on', async () => {
  await using scene = await aScene();
  scene.stub.answers([
    useTool('WebFetch', {url: 'https://example.com', prompt: 'x'}),
    say('then not'),
  ]);
  await using conversation = scene.talk();
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  assert.equal(conversation.told().message, 'then not');
  const notices = (await conversation.transcript()).filter(({ev}) => ev === 'notice');
  assert.match(JSON.stringify(notices), /refused: May I use WebFetch: https:\/\/example\.com/);
});

const COMMIT =
  'git add -A && git -c user.name=A -c user.email=a@example.com commit -qm made && git log --oneline';

function write(path: string): MessageStep {
  return useTool('Write', {file_path: path, content: 'x\n'});
}

function shell(command: string): MessageStep {
  return useTool('Bash', {command, description: 'Works.'});
}

function git({place}: Scene, ...args: string[]): string {
  return execFileSync('git', args, {cwd: place.workspace, encoding: 'utf8'});
}

/** What became of each step, by the transcript. */
async function work(scene: Scene, fields: Fields, steps: MessageStep[]): Promise<unknown[]> {
  git(scene, 'init', '-q');
  scene.stub.answers([...steps, say('done')]);
  await using conversation = scene.talk(fields);
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  const lines = await conversation.transcript();
  return lines
    .filter(({ev}) => ev === 'command' || ev === 'file_change')
    .flatMap(({status}) => (status === 'running' ? [] : [status]));
}
