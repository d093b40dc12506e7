import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Issue} from '@symphony-supervisor/protocol';
import {MemoryTracker} from '../src/memory/adapter.ts';
import {type IssueUpdate, OwnWrites, planUpdate, type UpdatePlan} from '../src/update/update.ts';
import {soon, unwrap} from './file/folder-of-issues.ts';

const [anIssue] = unwrap(
  await new MemoryTracker([{identifier: 'A-1', title: 'A title', state: 'Todo'}]).issuesByIds(
    ['A-1'],
    soon(),
  ),
);
assert.ok(anIssue !== undefined);
const issue = (fields: Partial<Issue>): Issue => ({...anIssue, ...fields});

test('a state is written only over the state that the caller knows', () => {
  const rows: [known: string, found: string, wanted: string, UpdatePlan['do']][] = [
    ['Todo', 'Todo', 'Done', 'write'],
    ['todo ', 'Todo', 'Done', 'write'],
    ['Todo', 'Done', ' done', 'nothing'],
    ['Todo', 'Todo', 'Todo', 'nothing'],
    ['Todo', 'Cancelled', 'Done', 'yield'],
  ];
  for (const [known, found, state, expected] of rows) {
    const plan = planUpdate(issue({state: known}), issue({state: found}), {state});
    assert.equal(plan.do, expected, `${known}, ${found}, ${state}`);
  }
});

test('labels of others stay as others left them', () => {
  const rows: [known: string[], found: string[], wanted: string[], string[] | null][] = [
    [['a'], ['a'], ['a', 'b'], ['a', 'b']],
    [['a'], ['a'], [], []],
    [['a'], ['a', 'theirs'], ['b'], ['theirs', 'b']],
    [['a', 'b'], ['b'], ['a', 'b', 'c'], ['b', 'c']],
    [['a'], ['a'], ['a'], null],
    [['a', 'b'], ['a', 'b'], ['b', 'a'], null],
    [[], ['b'], ['b'], null],
  ];
  for (const [known, found, labels, expected] of rows) {
    const plan = planUpdate(issue({labels: known}), issue({labels: found}), {labels});
    const expectedPlan: UpdatePlan =
      expected === null ? {do: 'nothing'} : {do: 'write', changes: {labels: expected}};
    assert.deepEqual(plan, expectedPlan);
  }
});

test('a plan holds what changes, and no more', () => {
  const wanted: IssueUpdate = {state: 'Todo', labels: ['x'], comment: ' '};
  assert.deepEqual(planUpdate(issue({}), issue({}), wanted), {
    do: 'write',
    changes: {labels: ['x']},
  });
});

test('a conflict about the state stops the whole update', () => {
  const plan = planUpdate(issue({}), issue({state: 'Done'}), {state: 'Review', comment: 'Hi'});
  assert.deepEqual(plan, {do: 'yield'});
});

test('what the caller knows is the newer of his copy and our own last write', () => {
  const writes = new OwnWrites();
  const old = issue({updated_at: '2024-01-01T00:00:00.000Z'});
  const ours = issue({state: 'Review', updated_at: '2024-01-02T00:00:00.000Z'});
  const newer = issue({state: 'Done', updated_at: '2024-01-03T00:00:00.000Z'});
  assert.equal(writes.knownTo('agent', old), old);
  writes.remember(ours);
  assert.deepEqual(writes.knownTo('agent', old), ours);
  assert.equal(writes.knownTo('agent', newer), newer);
  assert.equal(writes.knownTo('supervisor', old), old, 'an unread move stands');
});

test('of our own writes the latest thousand are kept, and of each only what updates compare', () => {
  const writes = new OwnWrites();
  const written = (number: number) => issue({id: String(number), state: 'Review'});
  for (let number = 0; number < 1000; number++) writes.remember(written(number));
  writes.remember({...written(0), description: 'long'}); // the latest now, so 1 is the oldest
  writes.remember(written(1000));
  const known = (id: string) => writes.knownTo('agent', issue({id, description: 'as read'}));
  assert.deepEqual(
    ['0', '1', '2', '1000'].map((id) => known(id).state),
    ['Review', 'Todo', 'Review', 'Review'],
  );
  assert.equal(known('0').description, 'as read');
});
