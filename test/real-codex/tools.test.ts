import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ToolSpec} from '@symphony-supervisor/protocol';
import type {RunnerRig} from '../rig/runner.ts';
import {Scene} from './scene.ts';
import {say, tool} from './stub/stub-step.ts';

const COMMENT: ToolSpec = {
  name: 'tracker_comment',
  description: 'Adds a comment to the issue.',
  input_schema: {
    type: 'object',
    properties: {text: {type: 'string'}},
    required: ['text'],
    additionalProperties: false,
  },
};

test('a tool call is answered by the supervisor, and the model reads the answer', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([tool('tracker_comment', {text: 'half way'}), say('done')]);
  await using runner = scene.start(scene.attempt({tools: [COMMENT]}), {
    callTool: () => ({success: true, content: {comment: 'c-1'}, wrote: true}),
  });

  const {outcome, evidence} = await runner.result();

  assert.equal(outcome, 'succeeded');
  assert.ok(scene.stub.requests[0]?.tools.some(({name}) => name === 'tracker_comment'));
  assert.deepEqual(toolCalls(runner), [['tracker_comment', {text: 'half way'}]]);
  assert.match(toolOutput(scene), /"comment":"c-1"/);
  assert.deepEqual(evidence, {workspace_changed: false, issue_changed: false, tools_wrote: true});
});

test('a failed tool call is read by the model, and the turn goes on', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([tool('tracker_comment', {text: 'x'}), say('then not')]);
  await using runner = scene.start(scene.attempt({tools: [COMMENT]}), {
    callTool: () => ({success: false, content: {error: 'the issue is locked'}, wrote: false}),
  });

  const {outcome, evidence} = await runner.result();

  assert.equal(outcome, 'succeeded');
  assert.match(toolOutput(scene), /the issue is locked/);
  assert.equal(evidence?.tools_wrote, false);
});

test('a tool call that the supervisor refuses is a failed one', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([tool('tracker_comment', {text: 'x'}), say('then not')]);
  await using runner = scene.start(scene.attempt({tools: [COMMENT]}), {callTool: () => 'refused'});

  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.match(toolOutput(scene), /the test refused/);
});

test('a call of an unknown tool is refused, and the turn goes on', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([tool('tracker_delete', {}), say('then not')]);
  await using runner = scene.start(scene.attempt({tools: [COMMENT]}));

  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.match(toolOutput(scene), /unsupported call: tracker_delete/);
  assert.deepEqual(toolCalls(runner), []);
});

/** What the supervisor was asked for. */
function toolCalls({calls}: RunnerRig): unknown[] {
  return calls.flatMap((call) => (call.ask === 'tool' ? [[call.tool, call.arguments]] : []));
}

/** What the model was told of its first call. */
function toolOutput({stub}: Scene): string {
  return stub.requests[1]?.toolOutputs[0]?.replaceAll('\\"', '"') ?? '';
}
