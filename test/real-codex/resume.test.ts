import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type AttemptJob,
  addUsage,
  type RunResult,
  type ThreadRecord,
  type ToolSpec,
} from '@symphony-supervisor/protocol';
import {endProcesses} from '@symphony-supervisor/protocol/processes';
import {anIssue} from '../rig/fixtures/issue.ts';
import type {RunnerRig} from '../rig/runner.ts';
import {runMarker, Scene, tokensOf} from './scene.ts';
import {hang, type Step, say, shell, tool} from './stub/stub-step.ts';
import {until} from './until.ts';

type Fields = NonNullable<Parameters<Scene['attempt']>[0]>;

const PROMPT = 'Work on ABC-1.';
const GUIDANCE = /^This is a new run on the same task/;

test('a run that was killed goes on in the same thread, and no token counts twice', async (t) => {
  await using scene = await Scene.open(t);
  const {stub} = scene;
  stub.answers([shell('true'), say('first turn')]);
  stub.answers([shell('echo second-turn'), hang()]);
  await using killed = scene.start(scene.attempt({max_turns: 3}), {
    readIssue: () => ({issue: anIssue(), go_on: true}),
  });
  await stub.requestAt(3);
  await until('three answers are counted', () => usageOf(killed).total_tokens >= 3150);
  await kill(killed);

  stub.answers([say('third turn')]);
  const thread = lastThread(killed);
  const result = await run(scene, {thread});

  assert.equal(result.outcome, 'succeeded');
  assert.equal(result.thread?.id, thread.id);
  const request = stub.requests.at(-1);
  assert.match(request?.prompt ?? '', GUIDANCE);
  const seen = JSON.stringify(request?.body.input);
  for (const text of [PROMPT, 'first turn', 'second-turn']) assert.ok(seen.includes(text), text);
  assert.deepEqual(addUsage(usageOf(killed), result.usage), tokensOf(4));
});

test('a run that was killed in its first turn goes on in the same thread', async (t) => {
  await using scene = await Scene.open(t);
  const {stub} = scene;
  stub.answers([shell('echo half-way'), hang()]);
  await using killed = scene.start(scene.attempt());
  await stub.requestAt(1);
  await until('the first answer is counted', () => usageOf(killed).total_tokens > 0);
  await kill(killed);

  stub.answers([say('done')]);
  const result = await run(scene, {thread: lastThread(killed), retry: 'failure', attempt: 1});

  assert.equal(result.thread?.id, lastThread(killed).id);
  assert.match(stub.requests.at(-1)?.prompt ?? '', GUIDANCE);
  assert.deepEqual(addUsage(usageOf(killed), result.usage), tokensOf(2));
});

test('a run that was stopped in its first turn goes on in the same thread', async (t) => {
  await using scene = await Scene.open(t);
  const {stub} = scene;
  stub.answers([shell('echo half-way'), hang()]);
  await using stopped = scene.start(scene.attempt());
  await stub.requestAt(1);
  await until('the first answer is counted', () => usageOf(stopped).total_tokens > 0);
  stopped.stop('interrupted');
  const first = await stopped.result();

  stub.answers([say('done')]);
  const second = await run(scene, {thread: first.thread});

  assert.equal(second.outcome, 'succeeded');
  assert.equal(second.thread?.id, first.thread?.id);
  assert.match(stub.requests.at(-1)?.prompt ?? '', GUIDANCE);
  assert.deepEqual(addUsage(first.usage, second.usage), tokensOf(2));
});

test('a run that was stopped in a later turn counts no token twice', async (t) => {
  await using scene = await Scene.open(t);
  const {stub} = scene;
  stub.answers([say('first turn')]);
  stub.answers([shell('true'), hang()]);
  await using stopped = scene.start(scene.attempt({max_turns: 3}), {
    readIssue: () => ({issue: anIssue(), go_on: true}),
  });
  await stub.requestAt(2);
  await until('two answers are counted', () => usageOf(stopped).total_tokens >= 2100);
  stopped.stop('interrupted');
  const first = await stopped.result();

  stub.answers([say('done')]);
  const second = await run(scene, {thread: first.thread});

  assert.equal(second.thread?.id, first.thread?.id);
  assert.deepEqual(addUsage(first.usage, second.usage), tokensOf(3));
});

test('a continuation gets guidance, not its task again', async (t) => {
  await using scene = await Scene.open(t);
  const {first, second} = await twoRuns(scene, {}, {retry: 'continuation', attempt: 1});

  assert.equal(second.thread?.id, first.thread?.id);
  assert.equal(second.thread?.turns, 2);
  const {prompt, body} = scene.stub.requests[1] ?? {};
  assert.match(prompt ?? '', GUIDANCE);
  assert.match(prompt ?? '', /ended well, but the issue is still open/);
  assert.ok(JSON.stringify(body?.input).includes('first run'));
  assert.deepEqual([first.usage, second.usage], [tokensOf(1), tokensOf(1)]);
});

test('a continuation gets its task again when that has changed', async (t) => {
  await using scene = await Scene.open(t);
  const issue = anIssue({description: 'Make hello.txt say good morning.'});
  const {first, second} = await twoRuns(scene, {}, {retry: 'continuation', attempt: 1, issue});

  assert.equal(second.thread?.id, first.thread?.id);
  assert.equal(scene.stub.requests[1]?.prompt, PROMPT);
});

test('a thread that Codex does not know is replaced by a new one', async (t) => {
  await using scene = await Scene.open(t);
  const id = '01a1e195-0000-7000-8000-000000000000';
  const usage = tokensOf(7);
  scene.stub.answers([say('from the start, then')]);
  const thread = {
    agent: 'codex',
    id,
    usage,
    turns: 3,
    workspace_path: scene.workspace,
    prompt_digest: 'x',
    ...{role: 'worker', phase: null, tools_digest: null},
  };
  await using runner = scene.start(scene.attempt({thread, retry: 'failure', attempt: 1}));

  const result = await runner.result();

  assert.equal(result.outcome, 'succeeded');
  assert.notEqual(result.thread?.id, id);
  assert.equal(result.thread?.turns, 1);
  assert.deepEqual(result.usage, tokensOf(1));
  assert.equal(scene.stub.requests[0]?.prompt, PROMPT);
  const [note] = runner.all('note');
  assert.match(note?.message ?? '', /cannot be resumed.*no rollout found/);
});

test('a resumed thread still has its tools, its sandbox and its policy', async (t) => {
  await using scene = await Scene.open(t);
  const look: ToolSpec = {
    name: 'tracker_look',
    description: 'Looks.',
    input_schema: {type: 'object'},
  };
  const {second} = await twoRuns(scene, {tools: [look]}, {tools: [look]}, [
    tool('tracker_look', {}),
    shell('touch inside && ! touch ../outside && echo closed', {}),
    shell('true', {escalation: 'May I?'}),
    say('done'),
  ]);

  assert.equal(second.outcome, 'succeeded');
  const outputs = scene.stub.requests.at(-1)?.toolOutputs ?? [];
  assert.match(outputs[0] ?? '', /the test looked/);
  assert.match(outputs[1] ?? '', /closed/);
  assert.match(outputs[2] ?? '', /approval policy is Never/);
});

/** The second goes on where the first ended. */
async function twoRuns(
  scene: Scene,
  first: Fields,
  second: Fields,
  script: readonly Step[] = [say('second run')],
): Promise<{first: RunResult; second: RunResult}> {
  scene.stub.answers([say('first run')]);
  scene.stub.answers(script);
  const before = await run(scene, first);
  return {first: before, second: await run(scene, {...second, thread: before.thread})};
}

async function run(scene: Scene, fields: Fields): Promise<RunResult> {
  await using runner = scene.start(scene.attempt(fields), {
    callTool: () => ({success: true, content: 'the test looked', wrote: false}),
  });
  return await runner.result(); // before the runner is disposed of
}

/** As a supervisor has it on record: the conversation, and its tokens as last told. */
function lastThread(runner: RunnerRig): ThreadRecord {
  const thread = runner.all('thread').at(-1)?.thread;
  const usage = runner.all('agent').at(-1)?.progress.thread_usage;
  assert.ok(thread !== undefined && usage !== undefined);
  return {...thread, usage};
}

function usageOf(runner: RunnerRig): RunResult['usage'] {
  return runner.all('agent').at(-1)?.progress.usage ?? tokensOf(0);
}

async function kill(runner: RunnerRig): Promise<void> {
  const markers = [runMarker(runner.job as AttemptJob)];
  assert.deepEqual(await endProcesses({roots: [], markers, except: []}, 0), []);
  await runner.exited;
}
