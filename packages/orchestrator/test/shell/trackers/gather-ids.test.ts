import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import type {Issue} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import {IdGatherer} from '../../../src/shell/trackers/gather-ids.ts';
import {anIssue} from '../../core/builders.ts';

type Issues = Answer<readonly Issue[]>;

function found(ids: readonly string[]): Issues {
  return {ok: true, value: ids.map((id) => anIssue({id})), warnings: []};
}

/** A gatherer, and what it asked for. */
function scene(answer: (ids: readonly string[]) => Issues = found) {
  const asked: string[] = [];
  const gatherer = new IdGatherer(async (project, ids) => {
    asked.push(`${project}: ${ids.join(' ')}`);
    return answer(ids);
  });
  const read = async (project: string, ...ids: string[]) => {
    const read = await gatherer.issuesByIds(project, ids);
    return read.ok ? read.value.map(({id}) => id).join(' ') : read.failure.code;
  };
  return {asked, read};
}

test('questions that come together are one request, and each gets its own answer', async () => {
  const {asked, read} = scene();
  assert.deepEqual(
    await Promise.all([read('p', '1'), read('p', '2', '1'), read('q', '3'), read('p', '4')]),
    ['1', '1 2', '3', '4'],
  );
  assert.deepEqual(asked, ['p: 1 2 4', 'q: 3']);
});

test('soon after two requests, questions of the same project wait for one another', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pass = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    await turn();
  };
  const {asked, read} = scene();
  void read('p', '1');
  await pass(5);
  void read('p', '2');
  await pass(5);
  assert.deepEqual(asked, ['p: 1', 'p: 2'], 'two at once');
  void read('p', '3');
  void read('q', '4');
  await pass(10);
  void read('p', '5');
  await pass(84);
  assert.deepEqual(asked.slice(2), ['q: 4']);
  await pass(1);
  assert.deepEqual(asked.slice(3), ['p: 3 5']);
  await pass(1_000);
  void read('p', '6');
  await pass(5);
  assert.equal(asked.at(-1), 'p: 6', 'after a pause nobody waits');
});

test('a record that cannot be read is the trouble of the one who asked for it', async () => {
  const {asked, read} = scene((ids) =>
    ids.includes('bad')
      ? {ok: false, failure: {code: 'tracker_response', message: 'no state'}}
      : found(ids),
  );
  assert.deepEqual(await Promise.all([read('p', '1'), read('p', 'bad')]), [
    '1',
    'tracker_response',
  ]);
  assert.deepEqual(asked, ['p: 1 bad', 'p: 1', 'p: bad']);
});

test('any other failure is everybody’s, and nobody asks again', async () => {
  const failure = {code: 'tracker_request', message: 'down'} as const;
  const {asked, read} = scene(() => ({ok: false, failure}));
  const both = await Promise.all([read('p', '1'), read('p', '2')]);
  assert.deepEqual(both, [failure.code, failure.code]);
  assert.deepEqual(asked, ['p: 1 2']);
});
