import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../test/rig/fixtures/folder.ts';
import {FileTracker} from '../src/file/adapter.ts';
import {MemoryTracker} from '../src/memory/adapter.ts';
import {soon, unwrap} from './file/folder-of-issues.ts';
import {BOARD, GithubRig, STATE_LABELS} from './github/rig.ts';
import {aLinear, codeOf, LIVE} from './linear/open-linear.ts';

const SLUG = 'a1b2c3d4e5f6';

test('Linear: the project, the states of its teams, and how many issues each has', async () => {
  await using linear = await aLinear();
  const {world, team} = linear;
  const other = world.addTeam('OPS', ['Backlog', 'Todo', 'Done']);
  world.addProject('Widgets', SLUG, [team, other]);
  world.addLabel('agent', team);
  for (const state of ['Todo', 'In Review', 'Todo']) world.addIssue(team, state);
  world.addIssue(other, 'Backlog');
  world.addIssue(other, 'Backlog', {project: null});
  await using tracker = linear.open({team_key: undefined, project_slug: `widgets-${SLUG}`});
  assert.deepEqual(unwrap(await tracker.survey(LIVE)), {
    found: 'project Widgets',
    others: [],
    states: ['Todo', 'In Progress', 'In Review', 'Done', 'Backlog'],
    counts: [
      {state: 'Todo', count: 2},
      {state: 'In Review', count: 1},
      {state: 'Backlog', count: 1},
    ],
    isPartial: false,
    missingLabels: [],
  });
});

test('Linear: a project that is not there, with those that are', async () => {
  await using linear = await aLinear();
  linear.world.addProject('Widgets', SLUG, [linear.team]);
  await using tracker = linear.open({team_key: undefined, project_slug: 'nope'});
  const {found, others} = unwrap(await tracker.survey(LIVE));
  assert.deepEqual([found, others], [null, [`${SLUG} (Widgets)`]]);
  await using wrong = linear.open({team_key: 'NOPE'});
  assert.deepEqual(unwrap(await wrong.survey(LIVE)).others, ['ENG (Team ENG)']);
  await using right = linear.open({team_key: 'eng'});
  assert.equal(unwrap(await right.survey(LIVE)).found, 'team Team ENG');
});

test('Linear: what is not ours is not counted, and a label that no team has is missing', async () => {
  await using linear = await aLinear({requiredLabels: ['agent', 'robot']});
  const {world, team} = linear;
  world.addLabel('Agent');
  world.addIssue(team, 'Todo', {assignee: world.viewer});
  world.addIssue(team, 'Todo');
  await using tracker = linear.open({assignee: 'me'});
  const {counts, missingLabels} = unwrap(await tracker.survey(LIVE));
  assert.deepEqual(counts, [{state: 'Todo', count: 1}]);
  assert.deepEqual(missingLabels, ['robot']);
});

test('Linear: a refused key is a failure of the survey', async () => {
  await using linear = await aLinear({key: 'lin_api_wrong'});
  assert.equal(codeOf(await linear.tracker.survey(LIVE)), 'tracker_auth');
});

test('GitHub: states by labels, labels that are missing, and pull requests are no issues', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(1, {labels: ['status:todo']});
    world.add(2, {labels: ['status:todo', 'agent']});
    world.add(3);
    world.add(4, {isPullRequest: true});
    world.add(5, {state: 'closed'});
    world.labels.push('Status:Review');
  });
  const tracker = rig.tracker({state_labels: STATE_LABELS}, {...BOARD, requiredLabels: ['agent']});
  assert.deepEqual(unwrap(await tracker.survey(soon())), {
    found: 'repository Acme/widgets',
    others: [],
    states: ['Todo', 'In Progress', 'Review', 'Done', 'open', 'closed'],
    counts: [
      {state: 'Todo', count: 2},
      {state: 'open', count: 1},
      {state: 'closed', count: 1},
    ],
    isPartial: false,
    missingLabels: ['status:doing', 'status:done'],
  });
});

test('GitHub: states by a project, and a project that the token does not see', async () => {
  await using rig = await GithubRig.start((world) => {
    const board = world.project();
    world.add(1);
    world.add(2);
    world.place(1, board, 'Review');
    world.hasIssues = false;
  });
  const tracker = rig.tracker({project_number: 7}, BOARD);
  const {found, states, counts} = unwrap(await tracker.survey(soon()));
  assert.match(found ?? '', /Acme\/widgets, whose issues are disabled/);
  assert.deepEqual(states, ['Todo', 'In Progress', 'Review', 'Done', 'open', 'closed']);
  assert.deepEqual(counts, [
    {state: 'Review', count: 1},
    {state: 'open', count: 1},
  ]);
  for (const provider of [{project_number: 8}, {project_number: 7, status_field: 'Stage'}]) {
    const refused = await rig.tracker(provider, BOARD).survey(soon());
    assert.ok(!refused.ok);
    assert.match(refused.failure.message, /shows no project \d of Acme with a field/);
  }
});

test('GitHub: a repository that is not there', async () => {
  await using rig = await GithubRig.start();
  const tracker = rig.tracker({repo: 'Acme/nothing'});
  assert.equal(unwrap(await tracker.survey(soon())).found, null);
});

test('a folder: states as they are written, and files that cannot be read', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'issues');
  await mkdir(path);
  const write = (id: string, state: string) =>
    writeFile(join(path, `${id}.md`), `---\nstate: ${state}\n---\n# ${id}\n`);
  for (const [id, state] of Object.entries({A: 'Todo', B: 'todo', C: 'Backlog'})) {
    await write(id, state);
  }
  await writeFile(join(path, 'D.md'), '---\nstate: [\n---\n# D\n');
  await using tracker = new FileTracker(path);
  const answer = await tracker.survey(soon());
  const {found, states, counts} = unwrap(answer);
  assert.deepEqual([found, states], [path, null]);
  assert.deepEqual(
    counts.map(({state, count}) => `${state.toLowerCase()} ${count}`),
    ['todo 2', 'backlog 1'],
  );
  assert.ok(answer.ok);
  assert.match(answer.warnings[0]?.examples.join() ?? '', /D\.md/);
});

test('issues in the workflow file', async () => {
  await using tracker = new MemoryTracker([{identifier: 'A-1', title: 'a', state: 'Todo'}]);
  assert.deepEqual(unwrap(await tracker.survey(soon())).counts, [{state: 'Todo', count: 1}]);
});
