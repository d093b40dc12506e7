import assert from 'node:assert/strict';
import {test} from 'node:test';
import {EarlyTrackers} from '../../src/cli/run/early-trackers.ts';
import {inMemory} from '../shell/trackers/tracker-settings.ts';

const A = {identifier: 'A-1', title: 'First', state: 'Todo'};

test('a thread that was started early answers, whatever was prepared', async () => {
  const troubles: string[] = [];
  await using early = new EarlyTrackers({});
  await early.prepare(['memory', 'memory', 'no such kind', 'constructor']);
  const thread = early.open((reason) => troubles.push(reason));
  assert.ok((await thread.open('p', inMemory([A]))).ok);
  const read = await thread.issuesByStates('p', ['Todo']);
  assert.deepEqual(read.ok && read.value.map(({identifier}) => identifier), ['A-1']);
  assert.deepEqual(troubles, []);
});

test('what went wrong before there was a log is told when there is one', async () => {
  const troubles: string[] = [];
  await using early = new EarlyTrackers({}, '/nowhere/tracker-thread.js');
  await early.prepare(['memory']);
  const thread = early.open((reason) => troubles.push(reason));
  assert.match(troubles.join(), /^the tracker thread ended: .*nowhere/);
  assert.equal((await thread.open('p', inMemory([A]))).ok, false);
  assert.equal(troubles.length, 2);
});
