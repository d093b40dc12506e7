import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import type {AgentJobOf, RunResult} from '@symphony-supervisor/protocol';
import {Scene} from './scene.ts';
import {addFile, hang, type Step, say, shell, tool} from './stub/stub-step.ts';

type Codex = Partial<AgentJobOf<'codex'>>;

/** Our answers: no to a request for approval, nothing to a question. */
const DECLINED =
  /"dir":"->","agent":"codex","msg":\{"id":0,"result":\{("decision":"decline"|"answers":\{\})\}/;

const QUESTION = {
  questions: [
    {
      id: 'colour',
      header: 'Colour',
      question: 'Which colour?',
      options: [
        {label: 'Red', description: 'Like a rose.'},
        {label: 'Blue', description: 'Like the sky.'},
      ],
    },
  ],
};

test('under on-request a command outside the sandbox is declined and asks a person', async (t) => {
  await using scene = await Scene.open(t);
  const outside = join(scene.folder, 'outside');
  const result = await askedFor(scene, shell(`touch ${outside}`, {escalation: 'May I leave?'}), {
    approval_policy: 'on-request',
  });
  assertAsked(result, /^May I run: .*touch .*outside.*\nMay I leave\?$/);
  assert.equal(existsSync(outside), false);
});

test('under on-request a change outside the workspace is declined and asks a person', async (t) => {
  await using scene = await Scene.open(t);
  const outside = join(scene.folder, 'outside');
  const result = await askedFor(scene, addFile(outside, 'x'), {approval_policy: 'on-request'});
  assertAsked(result, /^May I change files\?/);
  assert.equal(existsSync(outside), false);
});

test('under untrusted an unknown command is declined and asks a person', async (t) => {
  await using scene = await Scene.open(t);
  const result = await askedFor(scene, shell('touch made'), {approval_policy: 'untrusted'});
  assertAsked(result, /^May I run: .*touch made/);
  assert.equal(existsSync(join(scene.workspace, 'made')), false);
});

test('a granular policy that allows no questions is passed on', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([shell('touch made'), say('done')]);
  const granular = {
    ...{sandbox_approval: false, rules: false, skill_approval: false},
    ...{request_permissions: false, mcp_elicitations: false},
  };
  const job = scene.attempt({agent: {approval_policy: {granular}}});
  await using runner = scene.start(job);
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('under never nobody is asked, and the turn goes on', async (t) => {
  await using scene = await Scene.open(t);
  const outside = join(scene.folder, 'outside');
  scene.stub.answers([shell(`touch ${outside}`, {escalation: 'May I leave?'}), say('then not')]);
  await using runner = scene.start(scene.attempt());
  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.match(scene.stub.requests[1]?.toolOutputs[0] ?? '', /approval policy is Never/);
  assert.equal(existsSync(outside), false);
});

test('a question of the agent ends the run even under never', async (t) => {
  await using scene = await Scene.open(t);
  const result = await askedFor(scene, tool('request_user_input', QUESTION), {
    command: `${scene.home.command} -c features.default_mode_request_user_input=true`,
  });
  assertAsked(result, /^Which colour\?\n- Red\n- Blue$/);
});

/** A turn that asks once. */
async function askedFor(scene: Scene, step: Step, codex: Codex): Promise<RunResult> {
  // The model hears of the refusal before the turn is interrupted, and has nothing to add.
  scene.stub.answers([step, hang()]);
  const job = scene.attempt({agent: codex});
  await using runner = scene.start(job);
  const result = await runner.result();
  assert.match(await scene.transcriptOf(job), DECLINED);
  return result;
}

function assertAsked(result: RunResult, question: RegExp): void {
  assert.equal(result.outcome, 'input_required');
  assert.equal(result.failure?.code, 'turn_input_required');
  assert.match(result.question ?? '', question);
}
