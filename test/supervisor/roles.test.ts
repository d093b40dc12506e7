import assert from 'node:assert/strict';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {readStore} from '../rig/fixtures/store-file.ts';
import {aProject, onRecord, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

const DOCS = 'prompts/docs.md';
const ROLES = {
  docs: {when: {labels: ['docs']}, prompt: DOCS, model: 'small', effort: 'low'},
  urgent: {when: {priority: [1]}, prompt: 'prompts/urgent.md'},
};

/** A project with two roles, each with a prompt of its own. */
async function aProjectWithRoles(command: string, roles: Record<string, unknown> = ROLES) {
  const folder = await aProject(command, [], {roles});
  await mkdir(join(folder.path, 'prompts'));
  await writeFile(join(folder.path, DOCS), 'Write about {{issue.identifier}} as {{role}}.\n');
  await writeFile(join(folder.path, 'prompts/urgent.md'), 'Hurry with {{issue.identifier}}.\n');
  return folder;
}

function writeIssue(folder: string, id: string, fields: string): Promise<void> {
  return writeFile(join(folder, 'issues', `${id}.md`), `---\nstate: Todo\n${fields}---\n# ${id}\n`);
}

type Turn = Awaited<ReturnType<AgentPuppet['nextTurn']>>;

async function done(turn: Turn): Promise<void> {
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
}

test('labels and priorities choose the role, which has its own prompt, model and effort', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProjectWithRoles(puppet.command);
  await writeIssue(folder.path, 'T-1', 'labels: [docs]\npriority: 1\n');
  await writeIssue(folder.path, 'T-2', 'priority: 1\n');
  await writeIssue(folder.path, 'T-3', '');
  await using supervisor = new SupervisorRig(folder.path);
  const turns = [await puppet.nextTurn(), await puppet.nextTurn(), await puppet.nextTurn()];
  const inputs = turns.map(({input}) => input).toSorted();
  assert.deepEqual(inputs, ['Hurry with T-2.', 'Work on T-3.', 'Write about T-1 as docs.']);

  const docs = turns.find(({input}) => input.startsWith('Write')) ?? assert.fail();
  const [begun] = docs.agent.received('thread/start');
  assert.equal(Reflect.get(begun?.params ?? {}, 'model'), 'small');
  const [turnStart] = docs.agent.received('turn/start');
  assert.equal(Reflect.get(turnStart?.params ?? {}, 'effort'), 'low');

  const {running} = await supervisor.shows('three runs', (shown) => shown.running.length === 3);
  const roles = running.map(({issue_identifier: id, role}) => `${id} ${role}`);
  assert.deepEqual(roles.toSorted(), ['T-1 docs', 'T-2 urgent', 'T-3 worker']);
  const {stdout} = await supervisorCommand(['status'], {cwd: folder.path});
  assert.match(stdout, /^RUNNING +STATE +ROLE +AGENT +PHASE/m);
  assert.match(stdout, /^T-2 +Todo +urgent/m);

  for (const turn of turns) await done(turn);
  for (const id of ['T-1', 'T-2', 'T-3']) await supervisor.logged('claim.released', `p/${id}`);
  const {runs} = await supervisor.issue('T-1');
  assert.deepEqual(
    runs.map(({role, model}) => [role, model]),
    [['docs', 'small']],
  );
  const history = await supervisorCommand(['history'], {cwd: folder.path});
  assert.match(history.stdout, / T-2 +urgent /);
  const ended = supervisor.log.filter(({event}) => event === 'run.ended');
  const logged = ended.map((line) => Reflect.get(line, 'role'));
  assert.deepEqual(logged.toSorted(), ['docs', 'urgent', 'worker']);
});

test('a changed prompt file is read again, a missing one stops the dispatch and says where', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProjectWithRoles(puppet.command);
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.shows('its agent', ({projects}) => projects[0]?.agent.status === 'ready');
  await writeFile(join(folder.path, DOCS), 'Describe {{issue.identifier}}.\n');
  await supervisor.logged('workflow.reloaded');
  await writeIssue(folder.path, 'T-1', 'labels: [docs]\n');
  const turn = await puppet.nextTurn();
  assert.equal(turn.input, 'Describe T-1.');

  await rm(join(folder.path, DOCS));
  await supervisor.logged('workflow.broken');
  await writeIssue(folder.path, 'T-2', 'labels: [docs]\n');
  const {projects, running} = await supervisor.shows(
    'the problem',
    (shown) => shown.projects[0]?.problem != null,
  );
  assert.match(
    projects[0]?.problem ?? '',
    /WORKFLOW\.md:2:\d+: roles\.docs\.prompt is .*not exist/,
  );
  assert.equal(running.length, 1, 'what runs goes on');

  await writeFile(join(folder.path, DOCS), 'Again: {{issue.identifier}}.\n');
  const next = await puppet.nextTurn();
  assert.equal(next.input, 'Again: T-2.');
});

test('a prompt that cannot be rendered holds the issues of its role, names its file, and is mended by a change', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProjectWithRoles(puppet.command);
  await writeFile(join(folder.path, DOCS), 'Line one.\nWrite {{issue.nonsense}}.\n');
  await writeIssue(folder.path, 'T-1', 'labels: [docs]\n');
  await writeIssue(folder.path, 'T-2', '');
  const validated = await supervisorCommand(['validate'], {cwd: folder.path});
  assert.match(
    validated.stderr,
    /^warning: .*\/prompts\/docs\.md:2:7: unknown variable "issue\.nonsense"/m,
  );
  await using supervisor = new SupervisorRig(folder.path);
  const other = await puppet.nextTurn();
  assert.equal(other.input, 'Work on T-2.');
  const {held} = await supervisor.shows('the hold', (shown) => shown.held.length === 1);
  assert.equal(held[0]?.role, 'docs');
  assert.match(held[0]?.message ?? '', /^prompts\/docs\.md line 2, column 7: unknown variable/);
  await writeFile(join(folder.path, DOCS), 'Mended: {{issue.identifier}}.\n');
  const turn = await puppet.nextTurn();
  assert.equal(turn.input, 'Mended: T-1.');
});

test('killed and started again the run keeps its role, though labels and rules say otherwise by now', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProjectWithRoles(puppet.command);
  await writeIssue(folder.path, 'T-1', 'labels: [docs]\n');
  let threadId = '';
  {
    await using supervisor = new SupervisorRig(folder.path);
    const turn = await puppet.nextTurn();
    assert.equal(turn.input, 'Write about T-1 as docs.');
    threadId = turn.threadId;
    await onRecord(folder.path, threadId);
    await supervisor.kill();
  }
  await writeIssue(folder.path, 'T-1', 'priority: 1\n');
  const path = join(folder.path, 'WORKFLOW.md');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"labels":["docs"]', '"labels":["other"]'));
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  assert.equal(turn.threadId, threadId);
  assert.match(turn.input, /cut off/);
  const {running} = await supervisor.shows('the run', (shown) => shown.running.length === 1);
  assert.equal(running[0]?.role, 'docs');

  // The role is gone from the file: the file itself goes on, in a conversation of its own.
  await writeFile(path, text.replace('"docs":{', '"texts":{'));
  await supervisor.logged('workflow.reloaded');
  void turn.performs({exit: 1}).catch(() => {});
  const after = await puppet.nextTurn();
  assert.notEqual(after.threadId, threadId);
  assert.match(after.input, /^Work on T-1\./);
  await supervisor.logged('role.missing', 'p/T-1');
  const roles = readStore(folder.path).runs.map((run) => Reflect.get(run, 'role'));
  assert.deepEqual(roles, ['docs', 'docs', 'worker']);
  assert.equal(readStore(folder.path).claims.get('p/T-1')?.authorRole, 'docs');
});
