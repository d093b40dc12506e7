import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Issue} from '@symphony-supervisor/protocol';
import {parse, validate} from 'graphql';
import {
  issuesByNumbers,
  OPEN_STATUSES,
  SET_STATUS,
  STATUS_OPTIONS,
} from '../../src/github/read/queries.ts';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {githubSchema} from '../servers/github-graphql.ts';
import {byState, failureOf, GithubRig, issueOf} from './rig.ts';

test('every document is valid against the schema that GitHub publishes', () => {
  const hundred = Array.from({length: 100}, (_, index) => index + 1);
  const documents = {
    OPEN_STATUSES,
    SET_STATUS,
    STATUS_OPTIONS,
    byNumber: issuesByNumbers([1], false),
    withStatus: issuesByNumbers(hundred, true),
  };
  for (const [name, document] of Object.entries(documents)) {
    assert.deepEqual(validate(githubSchema, parse(document)), [], name);
  }
});

test('an issue is the same by either of the two interfaces', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(3, {state: 'closed'});
    world.add(12, {
      ...{body: ' Please.\r\n', labels: ['Bug', 'P2', 'priority:3'], assignee: 'bob'},
      ...{blockedBy: [3], author: {login: 'dependabot', type: 'Bot'}, association: 'NONE'},
    });
    world.add(13, {blockedBy: [12], body: null});
  });
  const tracker = rig.tracker();
  const listed = unwrap(await tracker.issuesByStates(['open'], soon()));
  const read = unwrap(await tracker.issuesByIds(['12', '13'], soon()));
  for (const issue of read) assert.ok(Issue.safeParse(issue).success);
  assert.deepEqual(
    listed.map((issue) => ({...issue, blocked_by: []})),
    read.map((issue) => ({...issue, blocked_by: []})),
  );
  assert.deepEqual(read[0], {
    id: '12',
    identifier: 'widgets-12',
    title: 'Issue 12',
    description: 'Please.',
    priority: 2,
    state: 'open',
    branch_name: null,
    url: 'https://github.com/Acme/widgets/issues/12',
    assignee_id: 'bob',
    labels: ['bug', 'p2', 'priority:3'],
    blocked_by: [{id: '3', identifier: 'widgets-3', state: 'closed'}],
    dispatchable: true,
    native_ref: {
      node_id: 'I_12',
      number: 12,
      repository: 'Acme/widgets',
      author: 'dependabot[bot]',
      author_association: 'NONE',
    },
    created_at: '2026-01-01T00:00:12.000Z',
    updated_at: '2026-01-02T00:00:00.000Z',
  });
});

test('a list has all its pages, and no pull requests', async () => {
  await using rig = await GithubRig.start((world) => {
    for (let number = 1; number <= 250; number += 1) {
      world.add(number, {isPullRequest: number % 10 === 0});
    }
  });
  const issues = await byState(rig.tracker(), 'Open');
  assert.equal(issues.length, 225);
  assert.equal(new Set(issues).size, 225);
  assert.ok(!issues.includes('10 open'));
  assert.equal(rig.asked().filter((path) => path.includes('/issues?')).length, 3);
});

test('what has not changed costs nothing, and a full page may get a successor', async () => {
  await using rig = await GithubRig.start((world) => {
    for (let number = 1; number <= 100; number += 1) world.add(number);
  });
  const tracker = rig.tracker();
  assert.equal((await byState(tracker, 'open')).length, 100);
  const {core} = rig.world.left;
  assert.equal((await byState(tracker, 'open')).length, 100);
  assert.equal(rig.world.left.core, core);
  rig.world.add(101);
  assert.equal((await byState(tracker, 'open')).length, 101);
  rig.world.issue(50).state = 'closed';
  assert.equal((await byState(tracker, 'open')).length, 100);
});

test('a hundred issues by id are one request; what is gone or no issue is absent', async () => {
  await using rig = await GithubRig.start((world) => {
    for (let number = 1; number <= 120; number += 1) world.add(number, {state: 'closed'});
    world.add(5, {isPullRequest: true});
    world.issues.delete(6);
  });
  const tracker = rig.tracker();
  const ids = Array.from({length: 100}, (_, index) => String(index + 1));
  const found = unwrap(
    await tracker.issuesByIds([...ids, '7', 'x', '0', '-1', '1e3', '99999999999'], soon()),
  );
  assert.deepEqual(rig.asked(), ['POST /graphql']);
  assert.deepEqual(
    found.map(({id}) => id),
    ids.filter((id) => id !== '5' && id !== '6'),
  );
  assert.equal(unwrap(await tracker.issuesByIds([...ids, '120'], soon())).length, 99);
  assert.equal(rig.asked().length, 2);
});

test('no ids, no states, nothing that could be ours: no request', async () => {
  await using rig = await GithubRig.start();
  const tracker = rig.tracker();
  assert.deepEqual(unwrap(await tracker.issuesByIds([], soon())), []);
  assert.deepEqual(unwrap(await tracker.issuesByIds(['A-1'], soon())), []);
  assert.deepEqual(unwrap(await tracker.issuesByStates([], soon())), []);
  assert.deepEqual(unwrap(await tracker.issuesByIdentifiers(['other-1', 'widgets-x'], soon())), []);
  assert.deepEqual(rig.asked(), []);
});

test('workspaces are matched by identifier, without a list of all that is closed', async () => {
  await using rig = await GithubRig.start((world) => {
    for (let number = 1; number <= 300; number += 1) world.add(number, {state: 'closed'});
    world.add(301, {blockedBy: [7, 302]});
    world.add(302);
  });
  const tracker = rig.tracker();
  const names = ['widgets-7', 'WIDGETS-8', 'widgets-999', 'else-7', 'widgets-7', 'widgets-301'];
  const found = unwrap(await tracker.issuesByIdentifiers(names, soon()));
  assert.deepEqual(
    found.map(({identifier, state}) => [identifier, state]),
    [
      ['widgets-7', 'closed'],
      ['widgets-8', 'closed'],
      ['widgets-301', 'open'],
    ],
  );
  assert.deepEqual(rig.asked(), ['POST /graphql']);
  const [one] = unwrap(await tracker.issuesByIdentifiers(['widgets-301'], soon()));
  assert.equal(one?.blocked_by.length, 2);
  rig.asked();
  assert.equal((await byState(tracker, 'closed')).length, 100);
  assert.equal(rig.asked().filter((path) => path.includes('/issues?')).length, 1);
});

test('blockers are asked for where there are open ones, and before a launch', async () => {
  await using rig = await GithubRig.start((world) => {
    for (let number = 1; number <= 9; number += 1) world.add(number);
    world.issue(2).blockedBy = [1, {repo: 'acme/gadgets', number: 4, state: 'closed'}];
    world.issue(1).labels = ['status:todo'];
    world.issue(3).blockedBy = [4];
    world.issue(4).state = 'closed';
  });
  const tracker = rig.tracker();
  const blockers = [
    {id: '1', identifier: 'widgets-1', state: 'open'},
    {id: null, identifier: 'acme/gadgets#4', state: 'closed'},
  ];
  const dependencies = () => rig.asked().filter((path) => path.includes('/dependencies/'));
  const listed = unwrap(await tracker.issuesByStates(['open'], soon()));
  assert.deepEqual(listed.find(({id}) => id === '2')?.blocked_by, blockers);
  assert.equal(dependencies().length, 1);

  // All at once: what the list has just said is enough.
  const ids = ['1', '2', '3', '5', '6', '7', '8', '9'];
  const read = unwrap(await tracker.issuesByIds(ids, soon()));
  assert.deepEqual(read.find(({id}) => id === '2')?.blocked_by, blockers);
  assert.equal(dependencies().length, 1);

  // One alone: somebody may have added a blocker since.
  rig.world.issue(9).blockedBy = [1];
  assert.deepEqual((await issueOf(tracker, '9')).blocked_by, [blockers[0]]);
});

test('of issues that a list says are not blocked nobody asks for blockers', async () => {
  await using rig = await GithubRig.start((world) => world.add(1));
  assert.deepEqual(await byState(rig.tracker(), 'open'), ['1 open']);
  assert.deepEqual(
    rig.asked().filter((path) => path.includes('/dependencies/')),
    [],
  );
});

test('a GitHub without dependencies has no blockers', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(1);
    world.hasDependencies = false;
  });
  const tracker = rig.tracker();
  assert.deepEqual(await byState(tracker, 'open'), ['1 open']);
  assert.deepEqual((await issueOf(tracker, '1')).blocked_by, []);
});

test('a token that is refused, a repository that is not there', async () => {
  await using rig = await GithubRig.start((world) => world.add(1));
  const wrong = rig.tracker({}, {}, 'ghp_some-other-token');
  assert.equal(failureOf(await wrong.issuesByIds(['1'], soon()), rig.world).code, 'tracker_auth');
  const none = rig.tracker({}, {secrets: {}});
  const missing = failureOf(await none.issuesByIds(['1'], soon()), rig.world);
  assert.equal(missing.code, 'missing_tracker_secret');
  const elsewhere = rig.tracker({repo: 'Acme/gadgets'});
  for (const call of [
    elsewhere.issuesByStates(['open'], soon()),
    elsewhere.issuesByIds(['1'], soon()),
  ]) {
    const failure = failureOf(await call, rig.world);
    assert.equal(failure.code, 'tracker_status');
    assert.match(failure.message, /tracker\.provider\.repo/);
  }
});

test('what talking to GitHub has cost is told', async () => {
  await using rig = await GithubRig.start((world) => world.add(1));
  const tracker = rig.tracker();
  await byState(tracker, 'open');
  await issueOf(tracker, '1');
  const asked = rig.asked().length;
  const {made, requests, complexity} = tracker.budget();
  assert.equal(made.ok, asked);
  assert.equal(requests?.remaining, rig.world.left.core);
  assert.equal(complexity?.remaining, rig.world.left.graphql);
});
