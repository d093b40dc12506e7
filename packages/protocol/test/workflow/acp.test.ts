import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {AgentSettings} from '../../src/index.ts';
import {makeProbeJob} from '../../src/index.ts';
import {errors, read} from './fixture.ts';

const ACP = 'tracker: {kind: folder}\nagent:\n  kind: acp';

function agent(yaml: string): AgentSettings {
  const reading = read(`${ACP}\n${yaml}`);
  assert.ok(reading.ok, errors(reading).join('\n'));
  return reading.workflow.settings.agent;
}

test('a preset brings its command, and a command of the file wins', () => {
  assert.equal(agent('acp: {preset: opencode}').command, 'opencode acp');
  assert.equal(agent('acp: {preset: claude-agent-acp}').command, 'claude-agent-acp');
  assert.equal(agent('acp: {preset: opencode, command: ./mine}').command, './mine');
  assert.equal(agent('  command: gemini --acp').command, 'gemini --acp');
});

test('without a command and without a preset it is an error that names both', () => {
  const [problem, ...more] = errors(read(ACP));
  assert.match(problem ?? '', /agent\.command is missing; .* or a preset in the section acp$/);
  assert.deepEqual(more, []);
  assert.match(errors(read(`${ACP}\nacp: {preset: kodex}`)).join('\n'), /acp\.preset is "kodex"/);
});

test('its options have defaults, and reach the runner', () => {
  const reading = read(`${ACP}\nacp: {preset: opencode}`);
  assert.ok(reading.ok);
  const job = makeProbeJob(reading.workflow, {runId: 'r', transcriptPath: '/t'});
  assert.deepEqual(job.agent, {
    ...{kind: 'acp', preset: 'opencode', mode: null, permissions: 'allow'},
    ...{trust_repository: false, start_timeout_ms: 60_000},
    ...{command: 'opencode acp', model: null, effort: null, access: 'write'},
    ...{turn_timeout_ms: 3_600_000, read_timeout_ms: 5_000},
  });
  const given = agent('acp: {command: x, mode: plan, permissions: ask, trust_repository: true}');
  assert.deepEqual(given.options, {
    ...{kind: 'acp', preset: null, mode: 'plan', permissions: 'ask'},
    ...{trust_repository: true, start_timeout_ms: 60_000},
  });
});

test('tokens that nothing counts cannot be limited', () => {
  const limited = read(`${ACP}\n  command: x\n  max_tokens: 5000`);
  assert.match(errors(limited).join('\n'), /^6:3: agent\.max_tokens is 5000, but how many tokens/);
  assert.deepEqual(errors(read(`${ACP}\n  command: x\n  max_tokens: 0`)), []);
});

test('another kind than that of the file has a command, model and effort of its own', () => {
  const file = `tracker: {kind: folder}
agent: {command: codex-of-mine app-server, model: m-1, effort: low, max_turns: 3}
acp: {preset: opencode}`;
  const reading = read(file, {agentKind: 'acp'});
  assert.ok(reading.ok, errors(reading).join('\n'));
  const {command, model, effort, maxTurns, options} = reading.workflow.settings.agent;
  assert.deepEqual([command, model, effort], ['opencode acp', null, null]);
  assert.deepEqual([maxTurns, options.kind], [3, 'acp']);
  const same = read(file, {agentKind: 'codex'});
  assert.ok(same.ok);
  assert.equal(same.workflow.settings.agent.command, 'codex-of-mine app-server');
});
