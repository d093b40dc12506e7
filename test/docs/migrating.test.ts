import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {test} from 'node:test';
import {
  checkTemplate,
  engineOf,
  promptVariables,
  renderPrompt,
} from '@symphony-supervisor/protocol/prompt';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {codexOptions} from '../../packages/protocol/test/workflow/fixture.ts';
import {KEY, LinearServer} from '../../packages/tracker/test/servers/linear-server.ts';
import {LinearWorld} from '../../packages/tracker/test/servers/linear-world.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {SupervisorRig} from '../rig/supervisor.ts';
import {patient} from './reader/machine.ts';
import {readPage} from './reader/markdown.ts';
import {readText} from './reader/workflow-text.ts';

// The file of docs/migrating-from-symphony.md, in the style of openai/symphony, as it stands there.

const block = readPage('docs/migrating-from-symphony.md').blocks.find(
  ({kind}) => kind === 'markdown',
);
assert.ok(block !== undefined);
const FILE = block.text;

/** Nobody may come: an issue that is held waits for a person. */
const WAITS = {timeout: 60_000};

test('an older file is read without an error, and says what is understood differently', () => {
  const reading = readText(FILE);
  assert.ok(reading.ok);
  const {tracker, agent, polling} = reading.workflow.settings;
  assert.equal(tracker.provider.project_slug, 'symphony-a1b2c3d4e5f6');
  assert.deepEqual(tracker.secrets, {api_key: {from: 'env', name: 'LINEAR_API_KEY'}});
  assert.deepEqual(tracker.activeStates, ['Todo', 'In Progress', 'Merging']);
  assert.equal(tracker.provider.raw_tool, true);
  assert.equal(polling.intervalMs, 5000);
  assert.deepEqual(codexOptions(agent).approval_policy, {
    granular: {sandbox_approval: false, rules: false, mcp_elicitations: false},
  });
  const codes = reading.warnings.map(({code}) => code);
  assert.deepEqual(codes.toSorted(), ['outdated_setting', 'tool_by_prompt']);
});

test('its Liquid prompt is rendered, at first and on a retry', async () => {
  const reading = readText(FILE);
  assert.ok(reading.ok);
  const {prompt} = reading.workflow;
  assert.equal(engineOf(prompt), 'liquid');
  assert.equal(await checkTemplate(prompt), null);
  const issue = anIssue({labels: ['bug'], description: null});
  const variables = promptVariables(
    {issue, attempt: null, retry: null, last_error: null, role: 'worker', max_turns: 20},
    {turn: 1, workspacePath: '/ws/ABC-1'},
  );
  const first = await renderPrompt(prompt, variables);
  assert.match(first, /^Ticket `ABC-1` of our Linear project is yours\.\n/);
  assert.match(first, /It has no description\./);
  assert.doesNotMatch(first, /This is attempt/);
  const retry = await renderPrompt(prompt, {...variables, attempt: 2, retry: 'failure'});
  assert.match(retry, /This is attempt 2: the ticket is still open/);
});

test('it runs against Linear: read, worked on, moved by the agent, released', WAITS, async () => {
  const world = new LinearWorld();
  const states = ['Todo', 'In Progress', 'Merging', 'Done'];
  const team = world.addTeam('ENG', states);
  const issue = world.addIssue(team, 'Todo', {title: 'Add a greeting', description: 'Say hello.'});
  await using server = await LinearServer.over(world);
  await using puppet = await AgentPuppet.listen();
  await using folder = await aFolder();
  // Another place and another agent, as on any machine; the rest stays.
  const text = FILE.replace(/command: codex .*/, `command: ${JSON.stringify(puppet.command)}`)
    .replace('kind: linear', `kind: linear\n  endpoint: ${server.url.href}`)
    .replace('~/code/symphony-workspaces', './workspaces');
  await writeFile(join(folder.path, 'WORKFLOW.md'), patient(text));
  process.env.LINEAR_API_KEY = KEY; // what the shell that starts the supervisor exports
  await using supervisor = new SupervisorRig(folder.path);

  const turn = await puppet.nextTurn();
  assert.match(turn.input, /Ticket `ENG-1`[\s\S]*Title: Add a greeting[\s\S]*Say hello\./);
  const done = world.state(team, 'Done').id;
  const query = `mutation { issueUpdate(id: "${issue.id}", input: {stateId: "${done}"}) { success } }`;
  const answer = await turn.callsTool('linear_graphql', {query});
  assert.equal(issue.state.name, 'Done', JSON.stringify(answer));
  turn.completes();
  await supervisor.logged('claim.released', `${basename(folder.path)}/${issue.id}`);
  assert.equal(existsSync(join(folder.path, 'workspaces/ENG-1')), false);
  supervisor.process.kill('SIGTERM');
  assert.equal((await supervisor.exited).code, 0);
  const said = JSON.stringify(supervisor.log) + supervisor.stderr;
  assert.ok(!said.includes(KEY), 'the key is in the log');
});
