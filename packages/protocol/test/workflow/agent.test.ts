import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {AgentSettings} from '../../src/index.ts';
import {makeProbeJob} from '../../src/index.ts';
import {codexOptions, errors, read} from './fixture.ts';

const TRACKER = 'tracker: {kind: folder}';

function agent(yaml: string): AgentSettings {
  const reading = read(`${TRACKER}\n${yaml}`);
  assert.ok(reading.ok, errors(reading).join('\n'));
  return reading.workflow.settings.agent;
}

/** What the section of a kind and `agent` both spell, with two values of each. */
const SHARED: readonly [string, keyof AgentSettings, unknown, unknown][] = [
  ['command', 'command', 'one', 'two'],
  ['model', 'model', 'm-1', 'm-2'],
  ['effort', 'effort', 'low', 'high'],
  ['turn_timeout_ms', 'turnTimeoutMs', 11, 12],
  ['read_timeout_ms', 'readTimeoutMs', 21, 22],
  ['stall_timeout_ms', 'stallTimeoutMs', 0, 32],
  ['on_input', 'onInput', 'fail', 'hold'],
];

for (const [key, field, one, two] of SHARED) {
  test(`agent.${key} and codex.${key} mean the same, and may not differ`, () => {
    assert.equal(agent(`agent: {${key}: ${one}}`)[field], one);
    assert.equal(agent(`codex: {${key}: ${one}}`)[field], one);
    assert.equal(agent(`agent: {${key}: ${one}}\ncodex: {${key}: ${one}}`)[field], one);
    const both = read(`${TRACKER}\nagent:\n  ${key}: ${one}\ncodex:\n  ${key}: ${two}`);
    const shown = (value: unknown) => JSON.stringify(value);
    assert.deepEqual(errors(both), [
      `4:3: agent.${key} is ${shown(one)}, and codex.${key} is ${shown(two)}; give only one of them`,
    ]);
  });
}

test('an agent of an unknown kind is an error that names those there are', () => {
  const reading = read(`${TRACKER}\nagent:\n  kind: kodex`);
  assert.deepEqual(errors(reading), [
    '4:3: agent.kind is "kodex"; give "codex" or "claude" or "acp"',
  ]);
});

test('access is enforced by the sandbox, and reaches the runner', () => {
  const sandbox = (yaml: string) => codexOptions(agent(yaml)).thread_sandbox;
  assert.equal(sandbox('agent: {access: read}'), 'read-only');
  assert.equal(sandbox('agent: {access: artifact}'), 'workspace-write');
  assert.equal(sandbox('agent: {access: read}\ncodex: {thread_sandbox: read-only}'), 'read-only');
  const reading = read(`${TRACKER}\nagent: {access: artifact}`);
  assert.ok(reading.ok);
  const job = makeProbeJob(reading.workflow, {runId: 'r', transcriptPath: '/t'});
  assert.equal(job.agent.access, 'artifact');
});

test('a sandbox that allows more than agent.access is an error that names both', () => {
  const wider: readonly [string, string, string][] = [
    ['read', 'thread_sandbox: workspace-write', 'thread_sandbox is "workspace-write"'],
    ['artifact', 'thread_sandbox: danger-full-access', 'thread_sandbox is "danger-full-access"'],
    [
      'read',
      'turn_sandbox_policy: {type: workspaceWrite}',
      'turn_sandbox_policy.type is "workspaceWrite"',
    ],
  ];
  for (const [access, given, shown] of wider) {
    const [problem] = errors(read(`${TRACKER}\nagent: {access: ${access}}\ncodex: {${given}}`));
    const rule = `which allows more than agent.access: ${access}; leave one of them out`;
    assert.equal(problem?.replace(/^[\d:]+ /, ''), `codex.${shown}, ${rule}`);
  }
});
