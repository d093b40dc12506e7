import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {GIT_REPOSITORY, Scene} from './scene.ts';
import {say, shell} from './stub/stub-step.ts';

type Fields = Parameters<Scene['attempt']>[0];

const UNRECORDED = {recorded: false};
const COMMIT = 'echo hello > hello.txt && git add hello.txt && git commit -qm "Say hello"';

test('an agent can commit in its workspace', async (t) => {
  await using scene = await Scene.open(t);
  await agentRuns(scene, COMMIT, {hooks: {after_create: GIT_REPOSITORY}});
  assert.equal(await log(scene.workspace), 'Say hello\nbegin\n');
});

test('an agent can commit in a worktree', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  const main = join(scene.folder, 'main');
  const after_create = `git init -q -b main '${main}' && cd '${main}' && ${GIT_REPOSITORY} &&
    git worktree add -q -b work "$SYMPHONY_WORKSPACE"`;
  await agentRuns(scene, COMMIT, {hooks: {after_create}});
  assert.equal(await log(scene.workspace), 'Say hello\nbegin\n');
  assert.equal(await log(main), 'begin\n');
});

test('an agent can make a repository where there is none', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  await agentRuns(scene, `${GIT_REPOSITORY} && ${COMMIT}`);
  assert.equal(await log(scene.workspace), 'Say hello\nbegin\n');
});

test('an agent writes neither beside its workspace nor to the common temporary folder', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  const beside = join(scene.folder, 'ws', 'beside');
  const common = `/tmp/${scene.workspace.split('/').at(-3)}-trace`;
  const said = await agentRuns(
    scene,
    `touch '${beside}' '${common}'; touch "$TMPDIR/own" && echo own: ok`,
  );
  assert.equal(said.match(/Read-only file system/g)?.length, 2, said);
  assert.match(said, /own: ok/);
  assert.deepEqual([beside, common].filter(existsSync), []);
});

test('an agent has no network', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  assert.match(await agentRuns(scene, connectTo(scene.stub.port)), /it is offline/);
});

test('a turn policy of one’s own holds, and commits work under it too', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  const said = await agentRuns(scene, `${COMMIT}; ${connectTo(scene.stub.port)}`, {
    hooks: {after_create: GIT_REPOSITORY},
    agent: {turn_sandbox_policy: {type: 'workspaceWrite', networkAccess: true}},
  });
  assert.match(said, /it is online/);
  assert.equal(await log(scene.workspace), 'Say hello\nbegin\n');
});

test('what the sandbox needs in a workspace is not left there', async (t) => {
  await using scene = await Scene.open(t, UNRECORDED);
  const job = scene.attempt();
  scene.stub.answers([shell('true'), say('done')]);
  await using runner = scene.start(job);
  const {evidence} = await runner.result();
  assert.equal(evidence?.workspace_changed, false);
});

/** One turn with one command; what the command printed. */
async function agentRuns(scene: Scene, command: string, fields: Fields = {}): Promise<string> {
  scene.stub.answers([shell(command), say('done')]);
  await using runner = scene.start(scene.attempt(fields));
  const {outcome, failure} = await runner.result();
  assert.equal(outcome, 'succeeded', failure?.message);
  return scene.stub.requests[1]?.toolOutputs[0] ?? '';
}

function connectTo(port: number): string {
  return `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' && echo it is online || echo it is offline`;
}

async function log(repository: string): Promise<string> {
  return (await promisify(execFile)('git', ['-C', repository, 'log', '--format=%s'])).stdout;
}
