import assert from 'node:assert/strict';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {identify, isAlive} from '@symphony-supervisor/protocol/processes';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, onRecord, reaches, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

// Issues from Todo to Done with an agent that speaks as Claude Code does.

async function aClaudeProject(puppet: AgentPuppet) {
  const agent = {kind: 'claude', command: `exec ${puppet.command}`, max_retry_backoff_ms: 200};
  return aProject('no-such-agent', ['T-1'], {agent, claude: {sandbox: 'off'}});
}

function aPuppet(): Promise<AgentPuppet> {
  return AgentPuppet.listen({args: ['--protocol', 'claude']});
}

test('an issue is worked on, and what it cost and said is on record', async () => {
  await using puppet = await aPuppet();
  await using folder = await aClaudeProject(puppet);
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  assert.equal(turn.input, 'Work on T-1.');
  await turn.performs({say: 'on it', tokens: {input: 100, cached: 40, output: 10}});
  await turn.runs('echo hello > hello.txt');
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
  await reaches(folder.path, 'T-1', 'Done');
  await supervisor.logged('claim.released', 'p/T-1');

  const {stdout} = await supervisorCommand(['history', 'T-1', '--json'], {cwd: folder.path});
  const [run] = JSON.parse(stdout);
  assert.equal(run.outcome, 'succeeded');
  // Three requests to the model; the two that name no price have the usual one.
  assert.equal(run.tokens.total_tokens, 110 + 2 * 1050);
  assert.equal(run.tokens.cached_input_tokens, 40 + 2 * 400);
  assert.equal(run.model, 'scripted');
  const lines = await transcript(folder.path);
  assert.ok(lines.some(({ev, text}) => ev === 'message' && text === 'on it'));
  assert.ok(lines.some(({ev, exit_code}) => ev === 'command' && exit_code === 0));
  assert.ok(lines.some(({ev, name, ok}) => ev === 'tool' && name === 'update_issue' && ok));
});

test('killed and started again: the former agent is gone, and the conversation goes on', async () => {
  await using puppet = await aPuppet();
  await using folder = await aClaudeProject(puppet);
  const former = new SupervisorRig(folder.path);
  const before = await puppet.nextTurn();
  const agent = identify(before.agent.pid);
  assert.ok(agent !== null);
  await onRecord(folder.path, before.threadId);
  await former.kill();

  await using supervisor = new SupervisorRig(folder.path);
  const after = await puppet.nextTurn();
  assert.equal(isAlive(agent), false);
  assert.equal(after.threadId, before.threadId);
  await after.callsTool('update_issue', {state: 'Done'});
  await after.completes();
  await supervisor.logged('claim.released', 'p/T-1');
});

test('a question holds the issue, and its answer goes on with the conversation', async () => {
  await using puppet = await aPuppet();
  await using folder = await aClaudeProject(puppet);
  await using supervisor = new SupervisorRig(folder.path);
  const first = await puppet.nextTurn();
  void first.asksInput('Which colour?', ['Red', 'Blue']).catch(() => {});
  const {held} = await supervisor.shows('a held issue', ({held: rows}) => rows.length === 1);
  assert.equal(held[0]?.question, 'Which colour?\n- Red\n- Blue');
  const answer = ['retry', 'T-1', '--message', 'Blue, like the sky.'];
  assert.equal((await supervisorCommand(answer, {cwd: folder.path})).code, 0);
  const second = await puppet.nextTurn();
  assert.equal(second.threadId, first.threadId);
  assert.match(second.input, /Blue, like the sky\./);
  await second.callsTool('update_issue', {state: 'Done'});
  await second.completes();
  await supervisor.logged('claim.released', 'p/T-1');
});

async function transcript(folder: string): Promise<Record<string, unknown>[]> {
  const root = join(folder, '.symphony');
  const files = await readdir(root, {recursive: true});
  const [path] = files.filter((name) => /^logs.runs.\w+-1\.jsonl$/.test(name));
  assert.ok(path !== undefined, files.join(' '));
  const text = await readFile(join(root, path), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
