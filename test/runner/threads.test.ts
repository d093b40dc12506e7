import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type AttemptJob,
  addUsage,
  SUBMIT_WORK,
  type ThreadRecord,
  type ToolSpec,
} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

/** A first run with one completed turn, and the thread that it leaves. */
async function firstRun(folder: string, puppet: AgentPuppet): Promise<ThreadRecord> {
  await using runner = new RunnerRig(anAttempt(folder, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  await turn.says('one', 100);
  await turn.completes();
  const {thread} = await runner.result();
  assert.ok(thread !== null);
  return thread;
}

test('a continuation resumes the thread with guidance that names attempt, kind and last error', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const thread = await firstRun(folder.path, puppet);
  await using runner = new RunnerRig(
    anAttempt(folder.path, {
      agent: {command: puppet.command},
      ...{thread, attempt: 3, retry: 'failure', last_error: 'the tests were red'},
      messages: [{id: 'm1', text: 'Use the blue one.'}],
    }),
  );
  const turn = await puppet.nextTurn();
  assert.equal(turn.threadId, thread.id);
  assert.doesNotMatch(turn.input, /Work on/);
  assert.match(turn.input, /attempt 3/);
  assert.match(turn.input, /the tests were red/);
  assert.match(turn.input, /Use the blue one\./);
  await turn.completes();
  await runner.result();
  const reports = runner.all('thread');
  assert.equal(reports[0]?.resumed, true);
  assert.equal(reports.at(-1)?.thread.turns, 2);
});

test('every policy is sent again with a resume', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const thread = await firstRun(folder.path, puppet);
  await using runner = new RunnerRig(
    anAttempt(folder.path, {
      agent: {command: puppet.command, approval_policy: 'on-request', model: 'm', effort: 'high'},
      thread,
      secret_names: ['A_SECRET'],
    }),
  );
  const turn = await puppet.nextTurn();
  const resume = await turn.agent.hears('thread/resume');
  assert.deepEqual(resume.params, {
    threadId: thread.id,
    excludeTurns: true,
    cwd: thread.workspace_path,
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    model: 'm',
    config: {allow_login_shell: false},
  });
  const start = await turn.agent.hears('turn/start');
  assert.deepEqual(start.params, {
    threadId: thread.id,
    input: [{type: 'text', text: turn.input}],
    cwd: thread.workspace_path,
    approvalPolicy: 'on-request',
    sandboxPolicy: {
      type: 'workspaceWrite',
      writableRoots: [`${thread.workspace_path}/.git`],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: true,
    },
    model: 'm',
    effort: 'high',
  });
  await turn.completes();
  await runner.result();
});

test('tokens of a resumed thread are counted once, though the agent replays its total', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using first = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const firstTurn = await puppet.nextTurn();
  await firstTurn.uses(100);
  await firstTurn.uses(20);
  await firstTurn.completes();
  const one = await first.result();

  await using second = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, thread: one.thread}),
  );
  const secondTurn = await puppet.nextTurn();
  await secondTurn.uses(7);
  await secondTurn.completes();
  const two = await second.result();
  assert.equal(two.thread?.id, one.thread?.id);
  assert.equal(one.usage.total_tokens, 120);
  assert.equal(two.usage.total_tokens, 7);
  assert.deepEqual(two.thread?.usage, addUsage(one.usage, two.usage));
});

test('tokens that a killed run had no time to report are counted by the next one', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const thread = await firstRun(folder.path, puppet);
  const lessThanUsed = {...thread, usage: {...thread.usage, total_tokens: 60}};
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, thread: lessThanUsed}),
  );
  await (await puppet.nextTurn()).completes();
  assert.equal((await runner.result()).usage.total_tokens, 40);
});

test('the whole prompt is sent again where a resumed thread does not know its task', async (t) => {
  const changed = {
    'the description changed': {issue: anIssue({description: 'Something else.'})},
    'the title changed': {issue: anIssue({title: 'Another title'})},
    'the template changed': {
      prompt: {template: 'Work on {{issue.identifier}}. Now.', engine: null},
    },
  };
  for (const [what, fields] of Object.entries(changed)) {
    await t.test(what, async () => {
      await using folder = await aFolder();
      await using puppet = await AgentPuppet.listen();
      const thread = await firstRun(folder.path, puppet);
      await using runner = new RunnerRig(
        anAttempt(folder.path, {agent: {command: puppet.command}, thread, ...fields}),
      );
      const turn = await puppet.nextTurn();
      assert.equal(turn.threadId, thread.id);
      assert.match(turn.input, /^Work on ABC-1\./);
      await turn.completes();
      const after = await runner.result();
      assert.notEqual(after.thread?.prompt_digest, thread.prompt_digest);
    });
  }
});

test('a fresh thread with the whole prompt where the old one cannot be gone on with', async (t) => {
  const reasons: Record<string, (thread: ThreadRecord) => ThreadRecord> = {
    'the agent does not know it': (thread) => ({...thread, id: 'no-such-thread'}),
    'it is of another agent': (thread) => ({...thread, agent: 'teletype'}),
    'the workspace is another': (thread) => ({...thread, workspace_path: '/elsewhere'}),
    'it never had a turn': (thread) => ({...thread, turns: 0}),
    'it is of another role': (thread) => ({...thread, role: 'docs'}),
    'it is of a phase': (thread) => ({...thread, phase: 'research'}),
    'it has other tools': (thread) => ({...thread, tools_digest: 'another'}),
  };
  for (const [what, alter] of Object.entries(reasons)) {
    await t.test(what, async () => {
      await using folder = await aFolder();
      await using puppet = await AgentPuppet.listen();
      const thread = await firstRun(folder.path, puppet);
      await using runner = new RunnerRig(
        anAttempt(folder.path, {agent: {command: puppet.command}, thread: alter(thread)}),
      );
      const turn = await puppet.nextTurn();
      assert.notEqual(turn.threadId, thread.id);
      assert.match(turn.input, /^Work on ABC-1\./);
      await turn.completes();
      const result = await runner.result();
      assert.equal(result.outcome, 'succeeded');
      assert.equal(result.thread?.turns, 1);
      assert.equal(runner.all('thread')[0]?.resumed, false);
    });
  }
});

const TOOL: ToolSpec = {name: 'look_up', description: 'Looks up.', input_schema: {type: 'object'}};

test('a thread goes on with its role and its tools, whatever is said about them', async (t) => {
  const same: Record<string, Partial<AttemptJob>> = {
    'the wording of a tool changed': {tools: [{...TOOL, description: 'Looks it up.'}]},
    'work can be submitted by now': {tools: [TOOL, SUBMIT_WORK]},
  };
  const other: Record<string, Partial<AttemptJob>> = {
    'a tool is gone': {tools: []},
    'a tool is new': {tools: [TOOL, {...TOOL, name: 'look_around'}]},
    'a tool takes other arguments': {
      tools: [{...TOOL, input_schema: {type: 'object', required: ['id']}}],
    },
    'the role is another': {tools: [TOOL], role: 'worker'},
  };
  for (const [what, fields] of Object.entries({...same, ...other})) {
    await t.test(what, async () => {
      await using folder = await aFolder();
      await using puppet = await AgentPuppet.listen();
      const fixed = {agent: {command: puppet.command}, role: 'docs'};
      const job = anAttempt(folder.path, {...fixed, tools: [TOOL]});
      await using first = new RunnerRig(job);
      await (await puppet.nextTurn()).completes();
      const {thread} = await first.result();
      assert.deepEqual([thread?.role, thread?.phase], ['docs', null]);
      await using second = new RunnerRig(anAttempt(folder.path, {...fixed, thread, ...fields}));
      const turn = await puppet.nextTurn();
      assert.equal(turn.threadId === thread?.id, what in same);
      await turn.completes();
      const after = (await second.result()).thread;
      assert.equal(after?.role, fields.role ?? 'docs');
      assert.equal(after?.tools_digest === thread?.tools_digest, what in same || 'role' in fields);
    });
  }
});

test('a thread of an older version, whose tools are not on record, is resumed', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const thread = {...(await firstRun(folder.path, puppet)), tools_digest: null};
  const fields = {agent: {command: puppet.command}, thread, tools: [TOOL]};
  await using runner = new RunnerRig(anAttempt(folder.path, fields));
  const turn = await puppet.nextTurn();
  assert.equal(turn.threadId, thread.id);
  await turn.completes();
  assert.equal((await runner.result()).thread?.tools_digest, null, 'nor are they from now on');
});
