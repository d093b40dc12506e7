import assert from 'node:assert/strict';
import {test} from 'node:test';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {BOARD, byState, failureOf, GithubRig, issueOf, STATE_LABELS} from './rig.ts';

const labels = {state_labels: STATE_LABELS};

test('labels give the state; none is open, several are the most finished, closed is over', async () => {
  const rows: [labels: string[], state: 'open' | 'closed', expected: string][] = [
    [['status:todo'], 'open', 'Todo'],
    [['Status:TODO', 'bug'], 'open', 'Todo'],
    [[], 'open', 'open'],
    [['status:todo', 'status:doing'], 'open', 'In Progress'],
    [['status:doing', 'status:review'], 'open', 'Review'],
    [['status:doing', 'status:review', 'status:done'], 'open', 'Done'],
    [['status:todo'], 'closed', 'closed'],
    [['status:done'], 'closed', 'Done'],
    [[], 'closed', 'closed'],
  ];
  await using rig = await GithubRig.start((world) => {
    for (const [index, [names, state]] of rows.entries()) {
      world.add(index + 1, {labels: names, state});
    }
  });
  const ids = rows.map((_, index) => String(index + 1));
  const issues = unwrap(await rig.tracker(labels, BOARD).issuesByIds(ids, soon()));
  assert.deepEqual(
    issues.map(({state}) => state),
    rows.map(([, , expected]) => expected),
  );
  const own = {activeStates: ['Todo'], terminalStates: ['Fertig', 'Done']};
  assert.equal((await issueOf(rig.tracker(labels, own), '7')).state, 'Fertig');
  const waiting = {state_labels: {Waiting: 'status:doing', Todo: 'status:todo'}};
  assert.equal((await issueOf(rig.tracker(waiting, BOARD), '4')).state, 'Waiting');
});

test('by states, only issues with those labels are listed, each once', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(1, {labels: ['status:todo']});
    world.add(2, {labels: ['status:todo', 'status:doing']});
    world.add(3, {labels: ['status:review']});
    world.add(4);
  });
  const tracker = rig.tracker(labels, BOARD);
  assert.deepEqual(await byState(tracker, 'Todo', 'In Progress'), ['1 Todo', '2 In Progress']);
  const lists = rig.asked().filter((path) => path.includes('/issues?'));
  assert.deepEqual(
    lists.map((path) => /labels=([^&]*)/.exec(path)?.[1]),
    ['status%3Atodo', 'status%3Adoing'],
  );
  assert.deepEqual(await byState(tracker, 'open'), ['4 open']);
  assert.deepEqual(await byState(tracker, 'Unheard of'), []);
});

test('a transition swaps the labels and touches no other', async () => {
  await using rig = await GithubRig.start((world) =>
    world.add(1, {labels: ['status:todo', 'bug']}),
  );
  const {world} = rig;
  const tracker = rig.tracker(labels, BOARD);
  const known = await issueOf(tracker, '1');
  const done = unwrap(await tracker.transition(known, 'in progress', soon()));
  assert.ok(done.outcome === 'written' && done.issue.state === 'In Progress');
  assert.deepEqual(done.changed, ['state']);
  assert.deepEqual(done.issue.labels, ['bug', 'status:doing']);
  assert.deepEqual(world.issue(1).labels, ['bug', 'status:doing']);

  const again = unwrap(await tracker.transition(known, 'In Progress', soon()));
  assert.equal(again.outcome, 'unchanged');
  const late = unwrap(await tracker.transition(known, 'Review', soon()));
  assert.equal(late.outcome, 'conflict', 'its copy is older than what was done since');
  const on = unwrap(await tracker.transition(done.issue, 'Review', soon()));
  assert.ok(on.outcome === 'written');
  const bare = unwrap(await tracker.transition(on.issue, 'open', soon()));
  assert.ok(bare.outcome === 'written' && bare.issue.state === 'open');
  assert.deepEqual(world.issue(1).labels, ['bug']);
});

test('a swap that was cut off is finished by the next transition to the same state', async () => {
  await using rig = await GithubRig.start((world) =>
    world.add(1, {labels: ['status:todo', 'status:doing']}),
  );
  const tracker = rig.tracker(labels, BOARD);
  unwrap(await tracker.transition(await issueOf(tracker, '1'), 'In Progress', soon()));
  assert.deepEqual(rig.world.issue(1).labels, ['status:doing']);
});

test('what a person chose stands, even in the moment between our read and our write', async () => {
  await using rig = await GithubRig.start((world) => world.add(1, {labels: ['status:todo']}));
  const {world, proxy} = rig;
  const tracker = rig.tracker(labels, BOARD);
  const known = await issueOf(tracker, '1');
  world.issue(1).labels = ['status:review'];
  const late = unwrap(await tracker.transition(known, 'In Progress', soon()));
  assert.ok(late.outcome === 'conflict' && late.found?.state === 'Review');

  world.issue(1).labels = ['status:todo'];
  const person = (body: string) => {
    world.issue(1).labels = ['status:done'];
    return body;
  };
  proxy.next({is: 'change', change: person});
  const raced = unwrap(await tracker.transition(known, 'In Progress', soon()));
  assert.ok(raced.outcome === 'conflict' && raced.found?.state === 'Done');
  assert.deepEqual(world.issue(1).labels, ['status:done']);

  world.issues.delete(1);
  const gone = unwrap(await tracker.transition(known, 'In Progress', soon()));
  assert.deepEqual(gone, {outcome: 'conflict', found: null});
});

test('a label that somebody else has just removed need not be removed', async () => {
  await using rig = await GithubRig.start((world) => world.add(1, {labels: ['status:todo']}));
  const {world, proxy} = rig;
  const tracker = rig.tracker(labels, BOARD);
  const known = await issueOf(tracker, '1');
  const person = (body: string) => {
    world.issue(1).labels = ['status:doing'];
    return body;
  };
  // The read, our label at the second try, and then there is nothing to remove any more.
  proxy.next(null, {is: 'answer', status: 502}, {is: 'change', change: person});
  const done = unwrap(await tracker.transition(known, 'In Progress', soon()));
  assert.equal(done.outcome, 'written');
  assert.deepEqual(world.issue(1).labels, ['status:doing']);
});

test('without labels there are open and closed, and a closed issue that is moved is opened', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(1);
    world.add(2, {state: 'closed', labels: ['status:done']});
  });
  const {world} = rig;
  const plain = rig.tracker();
  const one = await issueOf(plain, '1');
  const failure = failureOf(await plain.transition(one, 'Review', soon()), world);
  assert.equal(failure.code, 'invalid_tracker_config');
  assert.match(failure.message, /no state "Review".*known: open, closed/);
  const closed = unwrap(await plain.transition(one, 'closed', soon()));
  assert.ok(closed.outcome === 'written' && closed.issue.state === 'closed');
  unwrap(await plain.transition(closed.issue, 'open', soon()));
  const board = rig.tracker(labels, BOARD);
  unwrap(await board.transition(await issueOf(board, '2'), 'Todo', soon()));
  assert.deepEqual(world.writes, [
    '1 closed completed',
    '1 open',
    '2 +status:todo',
    '2 -status:done',
    '2 open',
  ]);
});

test('a comment is added as it is, whatever the state', async () => {
  await using rig = await GithubRig.start((world) => world.add(1));
  const tracker = rig.tracker();
  const known = await issueOf(tracker, '1');
  const done = unwrap(await tracker.comment({...known, state: 'Todo'}, 'Hello\n', soon()));
  assert.ok(done.outcome === 'written');
  assert.deepEqual(done.changed, ['comment']);
  assert.deepEqual(rig.world.issue(1).comments, ['Hello\n']);
});

const board = {project_number: 7};

test('a project gives the state, if it is the one of the owner, and the item is not archived', async () => {
  await using rig = await GithubRig.start((world) => {
    for (let number = 1; number <= 6; number += 1) world.add(number);
    const project = world.project();
    world.place(1, world.project(7, 'U_somebody-else'), 'Done');
    world.place(1, world.project(8), 'Review');
    world.place(1, project, 'Todo');
    world.place(2, project, 'In Progress');
    world.place(3, project, null);
    world.place(4, project, 'Todo').isArchived = true;
    world.place(6, project, 'Todo');
    world.issue(6).state = 'closed';
  });
  const tracker = rig.tracker(board, BOARD);
  assert.deepEqual(await byState(tracker, 'Todo', 'In Progress'), ['1 Todo', '2 In Progress']);
  assert.deepEqual(await byState(tracker, 'open'), ['3 open', '4 open', '5 open']);
  const read = unwrap(await tracker.issuesByIds(['1', '2', '3', '4', '5', '6'], soon()));
  assert.deepEqual(
    read.map(({state}) => state),
    ['Todo', 'In Progress', 'open', 'open', 'open', 'closed'],
  );
});

test('the statuses of many issues come in pages', async () => {
  await using rig = await GithubRig.start((world) => {
    const project = world.project();
    for (let number = 1; number <= 230; number += 1) {
      world.add(number);
      world.place(number, project, number % 2 === 0 ? 'Todo' : 'Review');
    }
  });
  assert.equal((await byState(rig.tracker(board, BOARD), 'Todo')).length, 115);
});

test('a transition moves the issue in its project', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(1);
    world.place(1, world.project(7, 'U_somebody-else'), 'Todo');
    world.place(1, world.project(), 'Todo');
    world.add(2);
  });
  const {world} = rig;
  const tracker = rig.tracker(board, BOARD);
  const known = await issueOf(tracker, '1');
  const done = unwrap(await tracker.transition(known, 'review', soon()));
  assert.ok(done.outcome === 'written' && done.issue.state === 'Review');
  assert.deepEqual(
    world.issue(1).items.map(({status}) => status),
    ['Todo', 'Review'],
  );
  const [, item] = world.issue(1).items;
  assert.ok(item !== undefined);
  item.status = 'In Progress';
  const late = unwrap(await tracker.transition(known, 'Done', soon()));
  assert.ok(late.outcome === 'conflict' && late.found?.state === 'In Progress');

  const failure = failureOf(
    await tracker.transition(await issueOf(tracker, '1'), 'Nowhere', soon()),
    world,
  );
  assert.match(failure.message, /known: Todo, In Progress, Review, Done, open, closed/);
  const outside = await tracker.transition(await issueOf(tracker, '2'), 'Todo', soon());
  assert.equal(failureOf(outside, world).code, 'invalid_tracker_config');
  const closed = unwrap(await tracker.transition(await issueOf(tracker, '2'), 'closed', soon()));
  assert.equal(closed.outcome, 'written');
  assert.equal(world.issue(2).state, 'closed');
});

test('a move in a project that GitHub does in part is a failure', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(1);
    world.place(1, world.project(), 'Todo');
  });
  const tracker = rig.tracker(board, BOARD);
  const known = await issueOf(tracker, '1');
  const partly = (body: string) =>
    JSON.stringify({...JSON.parse(body), errors: [{message: 'half of it'}]});
  for (const before of [[null], [null, null]]) {
    rig.proxy.next(...before, {is: 'change', change: partly});
    const failure = failureOf(await tracker.transition(known, 'Review', soon()), rig.world);
    assert.equal(failure.code, 'tracker_response');
    assert.match(failure.message, /half of it/);
  }
});
