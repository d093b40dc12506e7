import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {anIssue} from '../../../../test/rig/fixtures/issue.ts';
import {environmentOf, probeCommand, sessionCommand} from '../../src/agent/claude/start/command.ts';
import {LOOK} from './contract/conversation.ts';

const JOB: AgentJobOf<'claude'> = {
  ...{kind: 'claude', permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
  ...{on_permission: 'deny', sandbox: 'off', max_retries: 4},
  ...{model: null, effort: null, access: 'write', turn_timeout_ms: 1, read_timeout_ms: 1},
  // Prints what it was given, one argument a line.
  command: "printf '%s\\n'",
};
const OPTIONS = {
  ...{cwd: '/w', env: {TMPDIR: '/t'}, gitDirs: ['/main/.git']},
  job: {issue: anIssue(), tools: [LOOK], secret_names: []},
};

function argumentsOf(fields: Partial<AgentJobOf<'claude'>>, isSandboxed = false): string[] {
  const job = {...JOB, ...fields};
  const command = sessionCommand(job, OPTIONS, {id: 'an-id', is: 'new'}, isSandboxed);
  return execFileSync('bash', ['-c', command], {encoding: 'utf8'}).trimEnd().split('\n');
}

/** What follows a flag, up to the next one. */
function after(args: readonly string[], flag: string): string[] {
  const from = args.indexOf(flag);
  assert.notEqual(from, -1, flag);
  const rest = args.slice(from + 1);
  const end = rest.findIndex((word) => word.startsWith('--'));
  return end === -1 ? rest : rest.slice(0, end);
}

test('a shell reads our flags as they are meant, whatever is in them', () => {
  const rule = `Bash(echo "it's" $HOME; rm -rf *)`;
  const args = argumentsOf({allowed_tools: [rule], model: 'a model', effort: 'high'});
  assert.deepEqual(after(args, '--allowedTools'), ['Bash', 'mcp__symphony', rule]);
  assert.deepEqual(after(args, '--model'), ['a model']);
  assert.deepEqual(after(args, '--effort'), ['high']);
  assert.deepEqual(after(args, '--session-id'), ['an-id']);
});

test('only the settings of the user count, in a probe too', () => {
  const probe = probeCommand(JOB, OPTIONS, false).split(' ');
  for (const args of [argumentsOf({}), probe]) {
    assert.deepEqual(after(args, '--setting-sources'), ['user']);
    assert.ok(args.includes('--strict-mcp-config'));
  }
});

test('a conversation is begun or resumed, and without tools there is no server', () => {
  const none = {...OPTIONS, job: {...OPTIONS.job, tools: []}};
  const command = sessionCommand(JOB, none, {id: 'an-id', is: 'resumed'}, false);
  assert.match(command, / --resume an-id /);
  assert.doesNotMatch(command, /--session-id|mcp-config '|mcp__symphony/);
});

test('each access has its own rules, and none lets files be written by a bare rule', () => {
  for (const access of ['write', 'artifact', 'read'] as const) {
    const allowed = after(argumentsOf({access}), '--allowedTools');
    for (const rule of ['Write', 'Edit']) assert.equal(allowed.includes(rule), false, access);
    assert.equal(allowed.includes('Bash'), access === 'write', access);
    const disallowed = after(argumentsOf({access}), '--disallowedTools');
    for (const rule of ['Write', 'Edit'])
      assert.equal(disallowed.includes(rule), access === 'read');
    assert.ok(disallowed.includes('EnterPlanMode'));
  }
  const plan = after(argumentsOf({permission_mode: 'plan'}), '--disallowedTools');
  assert.equal(plan.includes('ExitPlanMode'), false);
});

test('the sandbox opens the workspace, its git folders and a private TMPDIR, and lets nothing out', () => {
  const settings = (fields: Partial<AgentJobOf<'claude'>>, isSandboxed: boolean) =>
    JSON.parse(after(argumentsOf(fields, isSandboxed), '--settings')[0] ?? '').sandbox;
  assert.deepEqual(settings({}, true), {
    ...{enabled: true, failIfUnavailable: true, autoAllowBashIfSandboxed: true},
    allowUnsandboxedCommands: false,
    filesystem: {allowWrite: ['/main/.git', '/t']},
  });
  const read = settings({access: 'read'}, true);
  assert.equal(read.autoAllowBashIfSandboxed, false);
  assert.deepEqual(read.filesystem.allowWrite, []);
  assert.deepEqual(settings({}, false), {enabled: false});
});

test('what binds an agent to the session of another is not passed on', () => {
  const env = environmentOf(JOB, {
    ...{ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_SESSION_ID: 'theirs', CLAUDE_CODE_SSE_PORT: '1'},
    ...{CLAUDE_CODE_MESSAGING_TOKEN: 't', CLAUDE_CODE_MAX_RETRIES: '10', DISABLE_AUTOUPDATER: '0'},
  });
  assert.equal(env.ANTHROPIC_API_KEY, 'k');
  assert.equal(env.CLAUDE_CODE_SESSION_ID, undefined);
  assert.equal(env.CLAUDE_CODE_MESSAGING_TOKEN, undefined);
  assert.equal(env.CLAUDE_CODE_MAX_RETRIES, '4');
  assert.equal(env.DISABLE_AUTOUPDATER, '0', 'the environment may say otherwise');
  assert.equal(env.CLAUDE_CODE_STARTUP_FAILURE_RESULTS, '1');
});
