import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {RunResult} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {type HostRules, RunnerRig} from '../rig/runner.ts';

test('an attempt goes from an empty folder to a finished turn', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const issue = anIssue({identifier: 'X-7', title: 'Say hi'});
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, issue}),
  );
  const turn = await puppet.nextTurn();
  assert.equal(turn.input, 'Work on X-7.');
  await turn.says('done');
  await turn.completes();
  const result = await runner.result();
  assert.equal(result.outcome, 'succeeded');
  assert.equal(result.failure, null);
  assert.deepEqual(
    runner.all('phase').map(({phase}) => phase),
    [
      ...['preparing_workspace', 'building_prompt', 'launching_agent_process'],
      ...['initializing_session', 'streaming_turn', 'finishing'],
    ],
  );
  assert.equal((await runner.heard('turn_started')).session_id, `${turn.threadId}-${turn.id}`);
  const naming = await turn.agent.hears('thread/name/set');
  assert.deepEqual(naming.params, {threadId: turn.threadId, name: 'X-7: Say hi'});
  assert.deepEqual(await runner.exited, {code: 0, signal: null});
});

test('while the issue stays open the next turn goes to the same thread, with guidance only', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, max_turns: 3}),
    {readIssue: (times) => ({issue: anIssue({state: 'Rework'}), go_on: times < 2})},
  );
  const first = await puppet.nextTurn();
  await first.completes();
  const second = await puppet.nextTurn();
  assert.equal(second.threadId, first.threadId);
  assert.match(second.input, /^Turn 2 of 3\. Issue "ABC-1" is still open, in state "Rework"/);
  assert.doesNotMatch(second.input, /Work on/);
  await second.completes();
  const result = await runner.result();
  assert.equal(result.outcome, 'succeeded');
  assert.equal(result.turns, 2);
  assert.equal(result.thread?.turns, 2);
});

test('a run ends after max_turns, however open its issue is', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: ['--script-json', '[[{"say":"hm"}]]']});
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, max_turns: 2}),
    {readIssue: () => ({issue: anIssue(), go_on: true})},
  );
  assert.equal((await runner.result()).turns, 2);
});

test('an issue that cannot be read between turns for a moment costs nothing', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: ['--script-json', '[[{"say":"hm"}]]']});
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, max_turns: 3}),
    {
      readIssue: (times) => (times < 3 ? 'refused' : {issue: anIssue(), go_on: times === 3}),
    },
  );
  const {outcome, turns} = await runner.result();
  assert.deepEqual([outcome, turns], ['succeeded', 2]);
});

test('a stop ends a run whose issue cannot be read between turns', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: ['--script-json', '[[{"say":"hm"}]]']});
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, max_turns: 3}),
    {
      readIssue: (times) => {
        if (times === 2) runner.stop('stopped_by_operator');
        return 'refused';
      },
    },
  );
  assert.equal((await runner.result()).outcome, 'stopped_by_operator');
});

test('after the last turn nobody needs to know the issue: it may have changed', async () => {
  const readIssue = () => 'refused' as const;
  const {outcome, evidence} = await attempt([{say: 'hm'}], {max_turns: 1}, [], {readIssue});
  assert.equal(outcome, 'succeeded');
  assert.equal(evidence?.issue_changed, true);
});

/** One turn, scripted, and the result. */
async function attempt(
  script: object[],
  fields: Parameters<typeof anAttempt>[1] = {},
  args: string[] = [],
  rules: HostRules = {},
): Promise<RunResult> {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({
    args: ['--script-json', JSON.stringify([script]), ...args],
  });
  const agent = {command: puppet.command, ...fields.agent};
  await using runner = new RunnerRig(anAttempt(folder.path, {...fields, agent}), rules);
  return await runner.result();
}

test('a failed turn is judged by its status and its error info, never by its method', async (t) => {
  const table: [unknown, string][] = [
    ['other', 'turn_failed'],
    ['internalServerError', 'turn_failed'],
    ['somethingNew', 'turn_failed'],
    ['usageLimitExceeded', 'usage_limit'],
    ['contextWindowExceeded', 'context_window_exceeded'],
    ['unauthorized', 'unauthorized'],
    [{httpConnectionFailed: {httpStatusCode: 401}}, 'unauthorized'],
    [{httpConnectionFailed: {httpStatusCode: null}}, 'turn_failed'],
    [{responseTooManyFailedAttempts: {httpStatusCode: 429}}, 'turn_failed'],
  ];
  for (const [info, code] of table) {
    await t.test(JSON.stringify(info), async () => {
      const result = await attempt([{fail: 'it broke', info}]);
      assert.equal(result.outcome, 'failed');
      assert.deepEqual(result.failure, {code, message: 'it broke'});
    });
  }
});

test('a used-up limit says when it is refilled, if the agent told', async () => {
  const resetsAt = 1_900_000_000;
  const result = await attempt([
    {
      rate_limits: {
        limitId: 'codex',
        primary: {usedPercent: 100, windowDurationMins: 300, resetsAt},
        secondary: {usedPercent: 40, windowDurationMins: 10080, resetsAt: resetsAt + 500},
      },
    },
    {fail: 'You have hit your usage limit', info: 'usageLimitExceeded'},
  ]);
  assert.equal(result.failure?.resets_at, new Date(resetsAt * 1000).toISOString());
});

test('what goes wrong with the process or the session has its own code', async (t) => {
  const table: [string, string, Parameters<typeof attempt>][] = [
    ['the turn interrupts itself', 'turn_cancelled', [[{interrupt: true}]]],
    ['the agent exits', 'port_exit', [[{exit: 0}]]],
    ['the agent is killed', 'port_exit', [[{signal: 'SIGKILL'}]]],
    ['it never answers', 'response_timeout', [[], {agent: {read_timeout_ms: 2000}}, ['--silent']]],
    ['it refuses the handshake', 'agent_incompatible', [[], {}, ['--fail-initialize']]],
    ['it ends at once', 'port_exit', [[], {}, ['--exit', '1']]],
    ['it does not exist', 'agent_not_found', [[], {agent: {command: 'no-such-agent-here'}}]],
    ['it is no program', 'agent_not_found', [[], {agent: {command: '/etc/passwd'}}]],
    ['another policy holds', 'agent_incompatible', [[], {}, ['--echo-policy', 'on-request']]],
    [
      'another sandbox holds',
      'agent_incompatible',
      [[], {agent: {thread_sandbox: 'read-only'}}, ['--echo-sandbox', 'dangerFullAccess']],
    ],
  ];
  for (const [what, code, call] of table) {
    await t.test(what, async () => {
      const result = await attempt(...call);
      assert.equal(result.outcome, 'failed');
      assert.equal(result.failure?.code, code);
    });
  }
});

test('where each turn carries its own sandbox, that of the thread does not matter', async () => {
  const result = await attempt([{say: 'done'}], {}, ['--echo-sandbox', 'dangerFullAccess']);
  assert.equal(result.failure, null);
});

test('silence within a turn ends it; notices that it will retry are no sign of life', async () => {
  const fields = {agent: {turn_timeout_ms: 1500}};
  for (const script of [[{hang: true}], [{retrying: 1000, every_ms: 100}]]) {
    const result = await attempt(script, fields);
    assert.equal(result.outcome, 'timed_out');
    assert.equal(result.failure?.code, 'turn_timeout');
  }
});

test('a turn that goes on talking may take longer than it may be silent', async () => {
  const fields = {agent: {turn_timeout_ms: 1500}};
  const result = await attempt([{flood: 30, per_second: 10}], fields);
  assert.equal(result.outcome, 'succeeded');
});

test('a turn that was silent for too long is interrupted before the agent is ended', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command, turn_timeout_ms: 500}}),
  );
  const turn = await puppet.nextTurn();
  assert.equal((await runner.result()).outcome, 'timed_out');
  assert.equal(turn.agent.received('turn/interrupt').length, 1);
  assert.equal(turn.agent.received('thread/backgroundTerminals/clean').length, 1);
});

test('the thread is on record as soon as its first turn has started', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  const {thread} = await runner.heard('thread', (report) => report.thread.turns === 1);
  assert.equal(thread.id, turn.threadId);
});

test('an end of a turn that is said twice does not end the next one', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, max_turns: 2}),
    {readIssue: () => ({issue: anIssue(), go_on: true})},
  );
  const first = await puppet.nextTurn();
  await first.completes();
  const second = await puppet.nextTurn();
  const turn = {id: first.id, status: 'failed', items: [], error: {message: 'old news'}};
  await second.notifies('turn/completed', {threadId: first.threadId, turn});
  await second.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('a template that names something unknown fails before an agent is started', async () => {
  const result = await attempt([], {prompt: {template: 'a\n{{issue.titel}}', engine: null}});
  assert.equal(result.failure?.code, 'template_render_error');
  assert.match(result.failure?.message ?? '', /line 2.*issue\.titel/);
  assert.equal(result.turns, 0);
});

test('a prompt that the agent could not take is not sent', async () => {
  const result = await attempt([], {
    prompt: {template: '{{issue.description}}', engine: null},
    issue: anIssue({description: 'x'.repeat(1_048_577)}),
  });
  assert.equal(result.failure?.code, 'template_render_error');
  assert.match(result.failure?.message ?? '', /1048577 characters/);
});

test('progress is joined: a flood of messages makes few reports, and the last says it all', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  await turn.performs({flood: 5000});
  await turn.completes();
  await runner.result();
  const progress = runner.all('agent').map((report) => report.progress);
  assert.ok((progress.at(-1)?.messages ?? 0) > 5000, 'messages were not counted');
  assert.ok(progress.length < 500, `${progress.length} reports for 5000 messages`);
});

test('lines that are broken or unknown are events, and not the end', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  await turn.sends('{"method": broken');
  await runner.heard('agent', ({progress}) => progress.event === 'malformed');
  await turn.sends('[1,2,3]');
  await turn.sends('{"id":12345,"result":{}}');
  await turn.performs({stderr: '{"method":"turn/completed","params":{}}\n'});
  await turn.notifies('thread/neverHeardOf', {x: 1});
  const unknown = await turn.requests('item/neverHeardOf', {x: 1});
  assert.deepEqual((unknown as {error?: {code: number}}).error?.code, -32601);
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});
