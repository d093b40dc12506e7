import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Fault} from '../servers/fault-proxy.ts';
import {aLinear, codeOf, known, LIVE, unwrap} from './open-linear.ts';

/** The answer passes as it is, and something happens in the world meanwhile. */
function meanwhile(happens: () => void): Fault {
  return {
    is: 'change',
    change(body) {
      happens();
      return body;
    },
  };
}

test('a transition finds the state of the team by its name, and looks it up once', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  world.addTeam('OPS');
  const issue = world.addIssue(team);
  const written = unwrap(
    await tracker.transition(await known(tracker, issue), 'in progress', LIVE),
  );
  assert.ok(written.outcome === 'written');
  assert.deepEqual(written.changed, ['state']);
  assert.equal(written.issue.state, 'In Progress');
  assert.equal(issue.state, world.state(team, 'In Progress'));
  linear.proxy.seen.length = 0;
  unwrap(await tracker.transition(written.issue, 'Done', LIVE));
  assert.deepEqual(linear.operations(), ['IssueToWrite', 'UpdateIssue']);
});

test('where the issue already is, nothing is written', async () => {
  await using linear = await aLinear();
  const issue = linear.world.addIssue(linear.team, 'Done');
  const done = await linear.tracker.transition(await known(linear.tracker, issue), 'done', LIVE);
  assert.equal(unwrap(done).outcome, 'unchanged');
  assert.ok(!linear.operations().includes('UpdateIssue'));
});

test("a person's change is never overwritten", async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const issue = world.addIssue(team);
  const before = await known(tracker, issue);
  world.move(issue, 'Done');
  const yielded = unwrap(await tracker.transition(before, 'In Review', LIVE));
  assert.ok(yielded.outcome === 'conflict');
  assert.equal(yielded.found?.state, 'Done');
  assert.equal(issue.state.name, 'Done');
  assert.ok(!linear.operations().includes('UpdateIssue'));
});

test('nor one that comes while the name of the state is looked up', async () => {
  await using linear = await aLinear();
  const {world, team, tracker, proxy} = linear;
  const issue = world.addIssue(team);
  const before = await known(tracker, issue);
  proxy.next(
    null,
    meanwhile(() => world.move(issue, 'Done')),
  );
  const yielded = unwrap(await tracker.transition(before, 'In Review', LIVE));
  assert.equal(yielded.outcome, 'conflict');
  assert.equal(issue.state.name, 'Done');
  assert.deepEqual(linear.operations().slice(1), ['IssueToWrite', 'TeamStates', 'IssueToWrite']);
});

test('an agent’s own change is not taken for a person’s', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const issue = world.addIssue(team);
  const before = await known(tracker, issue);
  const both = [
    tracker.callTool(before, 'linear_issue', {state: 'In Progress'}, LIVE),
    tracker.callTool(before, 'linear_issue', {state: 'In Review'}, LIVE),
  ];
  assert.deepEqual(
    (await Promise.all(both)).map(({success}) => success),
    [true, true],
  );
  assert.equal(issue.state.name, 'In Review');
  // The second looks only after the first has written.
  const [, ...operations] = linear.operations();
  const first = ['IssueToWrite', 'TeamStates', 'IssueToWrite', 'UpdateIssue'];
  assert.deepEqual(operations, [...first, 'IssueToWrite', 'UpdateIssue']);
  // Whoever has not read what the agent did must not write over it.
  const late = unwrap(await tracker.transition(before, 'Done', LIVE));
  assert.equal(late.outcome, 'conflict');
});

test('an issue that is gone, in the trash or in another project is not written to', async () => {
  await using linear = await aLinear({provider: {project_slug: 'a1b2c3d4e5f6'}});
  const {world, team, tracker} = linear;
  const issue = world.addIssue(team);
  const before = await known(tracker, issue);
  const gone = {outcome: 'conflict', found: null};
  issue.project = {slugId: '999999999999'};
  assert.deepEqual(unwrap(await tracker.transition(before, 'Done', LIVE)), gone);
  issue.project = {slugId: 'a1b2c3d4e5f6'};
  issue.trashed = true;
  assert.deepEqual(unwrap(await tracker.comment(before, 'Hello.', LIVE)), gone);
  world.issues.length = 0;
  assert.deepEqual(unwrap(await tracker.transition(before, 'Done', LIVE)), gone);
  assert.equal(issue.state.name, 'Todo');
});

test('a state that the team does not have is told with those that it has', async () => {
  await using linear = await aLinear();
  const issue = linear.world.addIssue(linear.team);
  const refused = await linear.tracker.transition(
    await known(linear.tracker, issue),
    'Nirvana',
    LIVE,
  );
  assert.ok(!refused.ok && refused.failure.code === 'invalid_tracker_config');
  assert.match(refused.failure.message, /"Nirvana".*Todo, In Progress, In Review, Done/);
});

test('a state that was made after the lookup is found', async () => {
  await using linear = await aLinear();
  const {world, team, tracker} = linear;
  const issue = world.addIssue(team);
  unwrap(await tracker.transition(await known(tracker, issue), 'In Progress', LIVE));
  world.states.push({id: 'new-state', name: 'Shipping', type: 'started', team});
  unwrap(await tracker.transition(await known(tracker, issue), 'Shipping', LIVE));
  assert.equal(issue.state.name, 'Shipping');
});

test('a comment is added as it is written', async () => {
  await using linear = await aLinear();
  const issue = linear.world.addIssue(linear.team);
  const text = 'Done:\n\n- "all" of it\n';
  const written = unwrap(
    await linear.tracker.comment(await known(linear.tracker, issue), text, LIVE),
  );
  assert.ok(written.outcome === 'written');
  assert.deepEqual(written.changed, ['comment']);
  assert.deepEqual(issue.comments, [text]);
});

test('a write whose answer is lost is not sent again', async () => {
  await using linear = await aLinear();
  const {world, team, tracker, proxy} = linear;
  const issue = world.addIssue(team);
  const before = await known(tracker, issue);
  proxy.next(null, {is: 'cut'});
  assert.equal(codeOf(await tracker.comment(before, 'Once.', LIVE)), 'tracker_request');
  assert.deepEqual(issue.comments, ['Once.']);
});
