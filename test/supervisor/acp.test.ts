import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {command} from '../rig/command.ts';
import {aProject, reaches, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

// An agent of the Agent Client Protocol under the real supervisor, its runners started from the snapshot.

const acpPuppet = (...args: string[]) => AgentPuppet.listen({args: ['--protocol', 'acp', ...args]});

test('an issue is worked on, continued in the same conversation, and moved on by a tool', async () => {
  await using puppet = await acpPuppet();
  await using folder = await aProject('false', ['T-1'], {
    agent: {kind: 'acp', command: puppet.command, max_turns: 1},
  });
  await using supervisor = new SupervisorRig(folder.path);
  const first = await puppet.nextTurn();
  assert.equal(first.input, 'Work on T-1.');
  await first.runs('echo hello > hello.txt');
  const shown = await supervisor.shows('a run that is not measured', ({running}) =>
    running.some(({usage}) => usage === 'unmeasured'),
  );
  assert.equal(shown.running.length, 1);
  await first.completes();
  const second = await puppet.nextTurn();
  assert.equal(second.threadId, first.threadId);
  assert.doesNotMatch(second.input, /Work on/);
  await second.callsTool('update_issue', {state: 'Done'});
  await second.completes();
  await reaches(folder.path, 'T-1', 'Done');
  await supervisor.logged('claim.released', 'p/T-1');
  const [params] = first.agent.received('session/new');
  assert.match(JSON.stringify(params), /127\.0\.0\.1/, 'the agent was given its tools');
});

test('a question of the agent holds its issue, and its token is in no log', async () => {
  await using puppet = await acpPuppet();
  await using folder = await aProject('false', ['T-1'], {
    agent: {kind: 'acp', command: puppet.command},
  });
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  const [opened] = turn.agent.received('session/new');
  const token = /symphony_run_\w+/.exec(JSON.stringify(opened))?.[0] ?? '';
  assert.notEqual(token, '');
  await turn.says(`my token is ${token}`);
  turn.asksInput('Which colour?').catch(() => {}); // the turn is interrupted before
  const {held} = await supervisor.shows('it held', (snapshot) => snapshot.held.length > 0);
  assert.deepEqual([held[0]?.reason, held[0]?.question], ['turn_input_required', 'Which colour?']);
  const {runs} = await supervisor.issue('T-1');
  const transcript = join(folder.path, '.symphony/logs/runs', `${runs[0]?.run_id}.jsonl`);
  const text = await readFile(transcript, 'utf8');
  assert.match(text, /session\/new/);
  assert.ok(!text.includes(token) && !JSON.stringify(supervisor.log).includes(token));
});

test('doctor says that it answers, that nothing is known of its login, and what protects', async () => {
  await using puppet = await acpPuppet();
  await using folder = await aProject('false', ['T-1'], {
    agent: {kind: 'acp', command: puppet.command},
  });
  const {stdout} = await supervisorCommand(['doctor', '--json'], {cwd: folder.path});
  const checks: {name: string; status: string; found: string}[] = JSON.parse(stdout).checks;
  const by = new Map(checks.map((check) => [check.name, check]));
  assert.match(by.get('agent')?.found ?? '', /, version 1\.0\.0$/);
  assert.equal(by.get('login')?.status, 'skip');
  assert.equal(by.get('policies')?.status, 'warn');
  assert.match(by.get('policies')?.found ?? '', /permissions allow, access write, no sandbox/);
});

test('by hand: another kind of agent than that of the file', async () => {
  const script = [[{tool: 'update_issue', arguments: {state: 'Done'}}]];
  await using puppet = await acpPuppet('--script-json', JSON.stringify(script));
  await using folder = await aProject('false', ['T-1'], {
    agent: {command: 'false', model: 'm-1'},
    acp: {command: puppet.command},
  });
  const run = (...args: string[]) => command('symphony-runner', args, {cwd: folder.path});
  const {code, stdout, stderr} = await run('T-1', '--agent', 'acp');
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /T-1 succeeded after 1 turn/);
  await reaches(folder.path, 'T-1', 'Done');
  const unknown = await run('T-1', '--agent', 'kodex');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /there is no "kodex"; give codex or claude or acp/);
});
