import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ToolSpec} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {type HostRules, RunnerRig} from '../rig/runner.ts';

const TOOL: ToolSpec = {
  name: 'update_issue',
  description: 'Changes the issue.',
  input_schema: {type: 'object', properties: {state: {type: 'string'}}},
};

async function aTurn(fields: Parameters<typeof anAttempt>[1] = {}, rules: HostRules = {}) {
  const folder = await aFolder();
  const puppet = await AgentPuppet.listen();
  const agent = {command: puppet.command, ...fields.agent};
  const runner = new RunnerRig(anAttempt(folder.path, {tools: [TOOL], ...fields, agent}), rules);
  return {
    runner,
    turn: await puppet.nextTurn(),
    [Symbol.asyncDispose]: async () => {
      await runner[Symbol.asyncDispose]();
      await puppet[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('tools are offered to the agent and answered by the host', async () => {
  await using scene = await aTurn(
    {},
    {
      callTool: (_tool, args) => ({
        success: true,
        content: {got: JSON.stringify(args)},
        wrote: true,
      }),
    },
  );
  const {runner, turn} = scene;
  assert.deepEqual(turn.agent.threadStartParams?.dynamicTools, [
    {
      type: 'function',
      name: TOOL.name,
      description: TOOL.description,
      inputSchema: TOOL.input_schema,
    },
  ]);
  const answer = await turn.callsTool('update_issue', {state: 'Done'});
  assert.deepEqual(answer, {
    result: {
      success: true,
      contentItems: [{type: 'inputText', text: JSON.stringify({got: '{"state":"Done"}'})}],
    },
  });
  await turn.completes();
  const {evidence} = await runner.result();
  assert.equal(evidence?.tools_wrote, true);
  const call = runner.calls.find(({ask}) => ask === 'tool');
  assert.deepEqual(call, {
    ask: 'tool',
    id: call?.id,
    tool: 'update_issue',
    arguments: {state: 'Done'},
  });
});

test('a call that the host refuses is a failed result, and the turn goes on', async () => {
  await using scene = await aTurn({}, {callTool: () => 'refused'});
  const {runner, turn} = scene;
  const answer = await turn.callsTool('update_issue');
  assert.deepEqual(answer, {
    result: {
      success: false,
      contentItems: [{type: 'inputText', text: '{"error":"the test refused"}'}],
    },
  });
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('an unknown tool is a failed result without asking the host', async () => {
  await using scene = await aTurn();
  const {runner, turn} = scene;
  const answer = await turn.callsTool('rm_rf');
  assert.equal((answer as {result: {success: boolean}}).result.success, false);
  await runner.heard('agent', ({progress}) => progress.event === 'unsupported_tool_call');
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.deepEqual(
    runner.calls.filter(({ask}) => ask === 'tool'),
    [],
  );
});

test('a call that waits for the host is not silence of the agent', async () => {
  await using scene = await aTurn({agent: {turn_timeout_ms: 1000}}, {callTool: () => 'silence'});
  const {runner, turn} = scene;
  const called = turn.callsTool('update_issue');
  // Several limits later, told by what the runner itself says every few seconds.
  await runner.heard('heartbeat');
  assert.equal(runner.all('result').length, 0);
  const call = runner.calls.find(({ask}) => ask === 'tool');
  runner.tell({
    order: 'answer',
    answer: {
      answer: 'tool',
      id: call?.id ?? 0,
      value: {success: true, content: 'late', wrote: false},
    },
  });
  await called;
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('under never, approvals that arrive are accepted for the session', async () => {
  await using scene = await aTurn();
  const {runner, turn} = scene;
  assert.equal(await turn.asksApproval('true'), 'acceptForSession');
  assert.equal(await turn.asksApproval({edit: 'a.txt', text: 'a'}), 'acceptForSession');
  await runner.heard('agent', ({progress}) => progress.event === 'approval_auto_approved');
  const permissions = await turn.asksPermissions({network: {enabled: true}});
  assert.deepEqual(permissions, {result: {permissions: {}, scope: 'turn'}});
  const legacy = await turn.requests('execCommandApproval', {command: ['ls', '-l']});
  assert.deepEqual(legacy, {result: {decision: 'approved_for_session'}});
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('whatever only a person can answer is declined, and ends the run with the question', async (t) => {
  type Turn = Awaited<ReturnType<typeof aTurn>>['turn'];
  const table: [string, string | undefined, (turn: Turn) => Promise<unknown>, unknown, RegExp][] = [
    [
      'a command under on-request',
      'on-request',
      (turn) => turn.asksApproval('rm -rf build'),
      'decline',
      /May I run: .*rm -rf build/,
    ],
    [
      'a file change under untrusted',
      'untrusted',
      (turn) => turn.asksApproval({edit: 'a.txt', text: 'a'}),
      'decline',
      /May I change files/,
    ],
    [
      'permissions under on-request',
      'on-request',
      (turn) => turn.asksPermissions({network: {enabled: true}}, 'to install things'),
      {result: {permissions: {}, scope: 'turn'}},
      /wider permissions.*\n.*to install things/,
    ],
    [
      'a question, even under never',
      'never',
      (turn) => turn.asksInput('Which colour?', ['red', 'blue']),
      {result: {answers: {}}},
      /Which colour\?\n- red\n- blue/,
    ],
    [
      'an elicitation, even under never',
      'never',
      (turn) => turn.elicits('Your name?'),
      {result: {action: 'decline', content: null, _meta: null}},
      /asks: Your name\?/,
    ],
  ];
  for (const [what, policy = 'never', ask, answer, question] of table) {
    await t.test(what, async () => {
      await using scene = await aTurn({agent: {approval_policy: policy}});
      const {runner, turn} = scene;
      assert.deepEqual(await ask(turn), answer);
      const result = await runner.result();
      assert.equal(result.outcome, 'input_required');
      assert.equal(result.failure?.code, 'turn_input_required');
      assert.match(result.question ?? '', question);
      assert.equal(turn.agent.received('turn/interrupt').length, 1);
    });
  }
});
