import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {SANDBOX_LITTER} from '../../packages/runner/src/agent/claude/start/sandbox-litter.ts';
import {layOutRecorded} from '../../packages/runner/src/workspace/layout.ts';
import {litterSweep} from '../../packages/runner/src/workspace/litter.ts';
import {killAgent, made} from '../../packages/runner/test/agent/contract/the-end.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {type MessageStep, say, useTool} from '../rig/messages-stub/message-step.ts';
import {aScene} from './scene.ts';

const TRIAL = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'socat', '-V'];
const skip = spawnSync('bwrap', TRIAL).status === 0 ? false : 'needs bubblewrap and socat';

test('in its sandbox it works and commits; outside and the network are closed', {
  skip,
}, async () => {
  await using scene = await aScene();
  const {stub, place} = scene;
  execFileSync('git', ['init', '-q'], {cwd: place.workspace});
  await using elsewhere = await aFolder();
  const outside = join(elsewhere.path, 'outside');
  const commit = 'git add -A && git -c user.name=A -c user.email=a@example.com commit -qm made';
  stub.answers([
    shell('echo inside > inside && echo "$TMPDIR" && touch "$TMPDIR/scratch"'),
    shell(commit),
    shell(`echo outside > ${outside}`),
    shell(`exec 3<>/dev/tcp/127.0.0.1/${stub.port}`),
    say('done'),
  ]);
  await using conversation = scene.talk({sandbox: 'on'});
  await conversation.session.start(null);
  assert.equal(await conversation.turn('Work.'), null);
  const commands = (await conversation.transcript()).filter(
    ({ev, status}) => ev === 'command' && status !== 'running',
  );
  const ended = commands.map(({status}) => status);
  assert.deepEqual(ended, ['completed', 'completed', 'failed', 'failed'], JSON.stringify(commands));
  assert.equal(existsSync(outside), false);
  const files = execFileSync('git', ['ls-files'], {cwd: place.workspace, encoding: 'utf8'});
  assert.equal(files, 'inside\n', 'and nothing that the sandbox put there');
});

test('what the sandbox of a killed agent leaves in the workspace is swept', {skip}, async () => {
  await using scene = await aScene();
  const {stub, place} = scene;
  const layout = await layOutRecorded(place.workspace);
  const sweep = await litterSweep(layout, SANDBOX_LITTER);
  stub.answers([shell('touch begun; sleep 3000'), say('never')]);
  await using conversation = scene.talk({sandbox: 'on'});
  await conversation.session.start(null);
  await killAgent(conversation, 'Work.', () => made(place.workspace, 'begun'));
  await conversation[Symbol.asyncDispose]();
  assert.deepEqual(conversation.leftProcesses(), []);
  const left = SANDBOX_LITTER.filter((name) => existsSync(join(place.workspace, name)));
  assert.notDeepEqual(left, [], 'there is something to sweep');
  await sweep();
  assert.deepEqual(
    SANDBOX_LITTER.filter((name) => existsSync(join(place.workspace, name))),
    [],
  );
});

function shell(command: string): MessageStep {
  return useTool('Bash', {command, description: 'Works.'});
}
