import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Issue} from '@symphony-supervisor/protocol';
import {MemoryTracker} from '../src/memory/adapter.ts';
import {soon, unwrap} from './file/folder-of-issues.ts';

const tracker = (...issues: unknown[]) => new MemoryTracker(issues);

async function only(memory: MemoryTracker, id = 'A-1'): Promise<Issue> {
  const [issue] = unwrap(await memory.issuesByIds([id], soon()));
  assert.ok(issue !== undefined);
  return issue;
}

const A = {identifier: 'A-1', title: 'First', state: 'Todo'};
const B = {identifier: 'A-2', title: 'Second', state: 'Done'};

test('loose input becomes a whole issue', async () => {
  const issue = await only(
    tracker({...A, priority: '2', labels: 'Bug, UI', created_at: '2024-01-02', description: ' '}),
  );
  assert.ok(Issue.safeParse(issue).success);
  const {id, priority, labels, created_at, description, dispatchable} = issue;
  assert.deepEqual(
    {id, priority, labels, created_at, description, dispatchable},
    {
      id: 'A-1',
      priority: 2,
      labels: ['bug', 'ui'],
      created_at: '2024-01-02T00:00:00.000Z',
      description: null,
      dispatchable: true,
    },
  );
});

test('states are compared without case and blanks; no states, no answer', async () => {
  const memory = tracker(A, B);
  const found = async (...states: string[]) =>
    unwrap(await memory.issuesByStates(states, soon())).map(({identifier}) => identifier);
  assert.deepEqual(await found(' todo '), ['A-1']);
  assert.deepEqual(await found('Done', 'done', 'Todo'), ['A-1', 'A-2']);
  assert.deepEqual(await found(), []);
});

test('a malformed record is left out by state, and fails the call by its own id only', async () => {
  const memory = tracker(A, {id: 'bad', identifier: 'A-9', state: 'Todo'}, 'nonsense', A);
  const answer = await memory.issuesByStates(['Todo'], soon());
  assert.ok(answer.ok);
  assert.equal(answer.value.length, 1);
  assert.deepEqual(answer.warnings, [
    {
      code: 'malformed_records',
      count: 3,
      examples: [
        'tracker.provider.issues[1]: title missing',
        'tracker.provider.issues[2]: expected an issue',
        'tracker.provider.issues[3]: the id "A-1" is already used by tracker.provider.issues[0]',
      ],
    },
  ]);
  assert.equal(unwrap(await memory.issuesByIds(['A-1', 'A-1', 'gone'], soon())).length, 1);
  const failed = await memory.issuesByIds(['A-1', 'bad'], soon());
  assert.ok(!failed.ok && failed.failure.code === 'tracker_response');
  const byName = await memory.issuesByIdentifiers(['A-9', 'A-1'], soon());
  assert.ok(byName.ok && byName.value.length === 1 && byName.warnings[0]?.count === 2);
});

test('a blocker among our own has its present state', async () => {
  const memory = tracker({...A, blocked_by: ['A-2', 'elsewhere']}, {...B, id: 'b', state: 'Todo'});
  unwrap(await memory.transition(await only(memory, 'b'), 'Done', soon()));
  assert.deepEqual((await only(memory)).blocked_by, [
    {id: 'b', identifier: 'A-2', state: 'Done'},
    {id: null, identifier: 'elsewhere', state: null},
  ]);
});

test('writes stay in memory, and never over the change of somebody else', async () => {
  const memory = tracker(A);
  const known = await only(memory);
  const written = unwrap(await memory.transition(known, 'In Progress', soon()));
  assert.ok(written.outcome === 'written' && written.issue.state === 'In Progress');
  assert.equal((await only(memory)).state, 'In Progress');

  const stale = {...known, state: 'Review', updated_at: '2999-01-01T00:00:00.000Z'};
  const conflict = unwrap(await memory.transition(stale, 'Done', soon()));
  assert.ok(conflict.outcome === 'conflict' && conflict.found?.state === 'In Progress');

  unwrap(await memory.comment(known, 'Hello', soon()));
  assert.deepEqual(memory.comments('A-1'), ['Hello']);
  const gone = unwrap(await memory.comment({...known, id: 'gone'}, 'Hello', soon()));
  assert.deepEqual(gone, {outcome: 'conflict', found: null});
});

test('an aborted call is a failure, not an exception', async () => {
  const memory = tracker(A);
  const answer = await memory.issuesByIds(['A-1'], AbortSignal.abort());
  assert.ok(!answer.ok && answer.failure.code === 'tracker_request');
});

test('a change is told to those who watch', async () => {
  const memory = tracker(A);
  let told = 0;
  const watch = memory.watch(() => told++);
  const issue = await only(memory);
  unwrap(await memory.transition(issue, 'Done', soon()));
  await watch[Symbol.asyncDispose]();
  unwrap(await memory.comment(issue, 'Hello', soon()));
  assert.equal(told, 1);
});
