import assert from 'node:assert/strict';
import {test} from 'node:test';
import {secretResolver} from '../../src/thread/secrets.ts';
import {testContract} from '../contract/contract.ts';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {trackerSettings} from '../tracker-settings.ts';
import {BoardTracker} from './adapter.ts';
import {BoardServer} from './board-server.ts';
import {BOARD_PROFILE} from './profile.ts';

// The adapter that docs/contributing/add-a-tracker.md explains: as good as those that are shipped.

testContract('the example', async (states) => {
  const board = await BoardServer.start();
  const ids = states.map((_, index) => `B-${index + 1}`);
  for (const [index, state] of states.entries()) board.add(ids[index] ?? '', state);
  const tracker = trackerOf(board);
  return {
    tracker,
    ids,
    move: (id, state) => board.change(id, {column: state}),
    remove: (id) => board.cards.delete(id),
    spoil: (id) => board.change(id, {title: null}),
    async [Symbol.asyncDispose]() {
      await tracker[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
    },
  };
});

test('its profile refuses an address to which a key must not be sent', () => {
  const complaints = (endpoint: unknown) => BOARD_PROFILE.checkProvider({endpoint}).length;
  assert.deepEqual(
    ['https://board.example', 'http://board.example', 'http://localhost', undefined].map(
      complaints,
    ),
    [0, 1, 0, 1],
  );
});

test('a key that the board refuses is named as such, and is in no message', async () => {
  await using board = await BoardServer.start();
  await using tracker = trackerOf(board, 'another-key');
  const read = await tracker.issuesByStates(['Todo'], soon());
  assert.ok(!read.ok);
  assert.equal(read.failure.code, 'tracker_auth');
  assert.ok(!read.failure.message.includes('another-key'));
  assert.equal(tracker.budget().made.auth, 1);
});

test('a person who is faster than the read before the write wins, too', async () => {
  await using board = await BoardServer.start();
  board.add('B-1', 'Todo');
  await using tracker = trackerOf(board);
  const [known] = unwrap(await tracker.issuesByIds(['B-1'], soon()));
  assert.ok(known !== undefined);
  board.beforeWrite = () => void board.change('B-1', {column: 'Done'});
  const yielded = unwrap(await tracker.transition(known, 'In Progress', soon()));
  assert.ok(yielded.outcome === 'conflict' && yielded.found?.state === 'Done');
});

function trackerOf({url, key}: BoardServer, value = key): BoardTracker {
  const settings = trackerSettings(BOARD_PROFILE.kind, {endpoint: url});
  return new BoardTracker(
    {...settings, secrets: {api_key: {from: 'value', value}}},
    {resolveSecret: secretResolver({}), http: {pauseMs: 1}},
  );
}
