import assert from 'node:assert/strict';
import {test} from 'node:test';
import {TOKEN} from '../servers/linear-server.ts';
import {aLinear, codeOf, identifiers, known, LIVE, unwrap} from './open-linear.ts';

test('candidates come page by page, each once, in the order of their creation', async () => {
  await using linear = await aLinear();
  const made = Array.from({length: 120}, () => linear.world.addIssue(linear.team));
  linear.world.addIssue(linear.team, 'Done');
  const read = await linear.tracker.issuesByStates(['Todo', 'In Progress'], LIVE);
  assert.deepEqual(
    identifiers(read),
    made.map(({identifier}) => identifier),
  );
  assert.deepEqual(linear.operations(), ['Issues', 'Issues', 'Issues']);
});

test('who asks for nothing gets nothing, without a request', async () => {
  await using linear = await aLinear();
  const {tracker} = linear;
  assert.deepEqual(unwrap(await tracker.issuesByStates([], LIVE)), []);
  assert.deepEqual(unwrap(await tracker.issuesByIds([], LIVE)), []);
  assert.deepEqual(unwrap(await tracker.issuesByIdentifiers([], LIVE)), []);
  assert.deepEqual(unwrap(await tracker.issuesByIdentifiers(['no identifier'], LIVE)), []);
  assert.deepEqual(linear.operations(), []);
});

test('an issue has everything that Linear says about it', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const blocker = world.addIssue(team, 'In Progress');
  const related = world.addIssue(team, 'Done');
  const issue = world.addIssue(team, 'Todo', {
    title: ' Mend it ',
    description: 'It is broken.',
    priority: 2,
    assignee: world.viewer,
    labels: [world.addLabel('Bug'), world.addLabel(' Urgent ', team)],
    relations: [
      {type: 'blocks', issue: blocker},
      {type: 'related', issue: related},
    ],
  });
  assert.deepEqual(await known(tracker, issue), {
    id: issue.id,
    identifier: 'ENG-3',
    title: 'Mend it',
    description: 'It is broken.',
    priority: 2,
    state: 'Todo',
    branch_name: 'someone/eng-3',
    url: 'https://linear.app/acme/issue/ENG-3',
    assignee_id: world.viewer.id,
    labels: ['bug', 'urgent'],
    blocked_by: [{id: blocker.id, identifier: 'ENG-1', state: 'In Progress'}],
    dispatchable: true,
    native_ref: {issue_id: issue.id, state_type: 'unstarted'},
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
  });
  assert.equal((await known(tracker, blocker)).priority, null, '0 is no priority');
});

test('states are found whatever their case and blanks', async () => {
  await using linear = await aLinear();
  linear.world.addIssue(linear.team, 'In Progress');
  assert.deepEqual(identifiers(await linear.tracker.issuesByStates([' in progress '], LIVE)), [
    'ENG-1',
  ]);
});

test('only the issues of the project and the team are ours', async () => {
  await using linear = await aLinear();
  const {world, team} = linear;
  const other = world.addTeam('OPS');
  const ours = world.addIssue(team);
  const elsewhere = world.addIssue(team, 'Todo', {project: {slugId: '999999999999'}});
  const homeless = world.addIssue(team, 'Todo', {project: null});
  const theirs = world.addIssue(other);
  const all = [ours, elsewhere, homeless, theirs];
  const rows: readonly [Record<string, unknown>, typeof all][] = [
    [{team_key: 'eng'}, [ours, elsewhere, homeless]],
    [{project_slug: 'a1b2c3d4e5f6', team_key: undefined}, [ours, theirs]],
    [{project_slug: 'the-name-a1b2c3d4e5f6', team_key: undefined}, [ours, theirs]],
    [{project_slug: 'a1b2c3d4e5f6', team_key: 'ENG'}, [ours]],
  ];
  for (const [provider, expected] of rows) {
    await using tracker = linear.open(provider);
    const names = expected.map(({identifier}) => identifier);
    const ids = all.map(({id}) => id);
    const asked = all.map(({identifier}) => identifier);
    assert.deepEqual(identifiers(await tracker.issuesByStates(['Todo'], LIVE)), names);
    assert.deepEqual(identifiers(await tracker.issuesByIds(ids, LIVE)), names);
    assert.deepEqual(identifiers(await tracker.issuesByIdentifiers(asked, LIVE)), names);
  }
});

test('with an assignee, the issues of others are not candidates, and stop being dispatchable', async () => {
  await using linear = await aLinear({provider: {assignee: 'me'}});
  const {world, team, tracker} = linear;
  const mine = world.addIssue(team, 'Todo', {assignee: world.viewer});
  world.addIssue(team, 'Todo', {assignee: {id: 'another'}});
  world.addIssue(team);
  assert.deepEqual(identifiers(await tracker.issuesByStates(['Todo'], LIVE)), ['ENG-1']);
  assert.equal((await known(tracker, mine)).dispatchable, true);
  mine.assignee = {id: 'another'};
  assert.equal((await known(tracker, mine)).dispatchable, false);
  assert.deepEqual(linear.operations(), ['Viewer', 'Issues', 'Issues', 'Issues'], 'asked once');

  await using byId = linear.open({assignee: 'another'});
  assert.deepEqual(identifiers(await byId.issuesByStates(['Todo'], LIVE)), ['ENG-1', 'ENG-2']);
});

test('ids are read fifty at a time, each once; what is missing is gone', async () => {
  await using linear = await aLinear();
  const made = Array.from({length: 120}, () => linear.world.addIssue(linear.team));
  const ids = made.map(({id}) => id);
  const gone = '00000000-0000-4000-8000-000000000000';
  const read = unwrap(await linear.tracker.issuesByIds([...ids, ...ids, gone], LIVE));
  assert.deepEqual(read.map(({id}) => id).toSorted(), ids.toSorted());
  assert.equal(linear.operations().length, 3);
});

test('a read by id costs what it asks for, not what a page could hold', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const costs: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    await known(tracker, world.addIssue(team));
    costs.push(tracker.budget().complexity?.last_cost ?? Number.NaN);
  }
  unwrap(await tracker.issuesByStates(['Todo'], LIVE));
  const page = tracker.budget().complexity?.last_cost ?? Number.NaN;
  for (const cost of costs) assert.ok(Math.abs(cost * 50 - page) < 1, `${cost} and ${page}`);
});

test('an archived issue is still there, one in the trash is gone', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const archivedAt = world.tick();
  const archived = world.addIssue(team, 'Done', {archivedAt});
  const trashed = world.addIssue(team, 'In Progress', {archivedAt, trashed: true});
  const found = unwrap(await tracker.issuesByIds([archived.id, trashed.id], LIVE));
  assert.deepEqual(
    found.map(({identifier, dispatchable}) => [identifier, dispatchable]),
    [['ENG-1', false]],
  );
});

test('identifiers are read by team and number', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  for (let count = 0; count < 12; count += 1) world.addIssue(team, 'Done');
  const asked = ['ENG-2', 'ENG-11', 'ENG-99', 'OPS-1', 'a folder'];
  assert.deepEqual(identifiers(await tracker.issuesByIdentifiers(asked, LIVE)), [
    'ENG-2',
    'ENG-11',
  ]);
  assert.equal(linear.operations().length, 1);
});

test('many labels and many blockers are all found, in more requests', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const labels = Array.from({length: 30}, (_, index) => world.addLabel(`label-${index}`));
  const blockers = Array.from({length: 40}, () => world.addIssue(team, 'Done'));
  const relations = blockers.map((issue) => ({type: 'blocks', issue}));
  const rows = [
    [3, 0, 1],
    [4, 0, 2],
    [0, 2, 1],
    [0, 3, 2],
    [20, 19, 2],
    [21, 0, 3],
    [30, 40, 3],
  ] as const;
  for (const [labelCount, blockerCount, requests] of rows) {
    linear.proxy.seen.length = 0;
    const issue = world.addIssue(team, 'Todo', {
      labels: labels.slice(0, labelCount),
      relations: relations.slice(0, blockerCount),
    });
    const found = await known(tracker, issue);
    assert.equal(found.labels.length, labelCount);
    assert.equal(found.blocked_by.length, blockerCount);
    assert.ok(found.dispatchable);
    assert.equal(linear.operations().length, requests, `${labelCount}, ${blockerCount}`);
  }
});

test('beyond all bounds, an issue is blocked rather than started too early', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const issue = world.addIssue(team, 'Done');
  const relations = Array.from({length: 251}, () => ({type: 'related', issue}));
  const labels = Array.from({length: 251}, (_, index) => world.addLabel(`label-${index}`));
  const found = await known(tracker, world.addIssue(team, 'Todo', {labels, relations}));
  assert.deepEqual(found.blocked_by, [{id: null, identifier: null, state: null}]);
  assert.equal(found.dispatchable, false);
});

test('an issue that leaves the list between two requests is not in it', async () => {
  await using linear = await aLinear();
  const {world, team, proxy, tracker} = linear;
  const labels = Array.from({length: 5}, (_, index) => world.addLabel(`label-${index}`));
  const moved = world.addIssue(team, 'Todo', {labels});
  world.addIssue(team);
  proxy.next({
    is: 'change',
    change(body) {
      world.move(moved, 'Done');
      return body;
    },
  });
  assert.deepEqual(identifiers(await tracker.issuesByStates(['Todo'], LIVE)), ['ENG-2']);
});

test('a token of an application is borne, a personal key is not', async () => {
  await using linear = await aLinear({key: `${TOKEN}\n`});
  unwrap(await linear.tracker.issuesByStates(['Todo'], LIVE));
  assert.equal(linear.proxy.seen[0]?.headers.authorization, `Bearer ${TOKEN}`);
});

test('a key that Linear does not know is told as that', async () => {
  await using linear = await aLinear({key: 'lin_api_of_somebody_else'});
  const refused = await linear.tracker.issuesByStates(['Todo'], LIVE);
  assert.equal(codeOf(refused), 'tracker_auth');
  assert.doesNotMatch(JSON.stringify(refused), /somebody_else/);
});

test('the budget is what Linear says', async () => {
  await using linear = await aLinear();
  assert.equal(linear.tracker.budget().requests, null);
  linear.world.addIssue(linear.team);
  unwrap(await linear.tracker.issuesByStates(['Todo'], LIVE));
  const {made, requests, complexity, not_before} = linear.tracker.budget();
  assert.deepEqual(made, {ok: 1, request: 0, status: 0, response: 0, rate_limited: 0, auth: 0});
  assert.deepEqual([requests?.limit, requests?.remaining], [5_000, 4_999]);
  assert.ok(Date.parse(requests?.resets_at ?? '') > Date.now());
  assert.ok(complexity?.last_cost && complexity.last_cost < 1_000);
  assert.equal(complexity.remaining, 250_000 - Math.ceil(complexity.last_cost));
  assert.equal(not_before, null);
});
