import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {Issue} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import {TrackerThreads} from '../../../src/shell/trackers/tracker-threads.ts';
import {inMemory} from './tracker-settings.ts';

const TROUBLED = fileURLToPath(new URL('./troubled-thread.mjs', import.meta.url));
const A = {identifier: 'A-1', title: 'First', state: 'Todo'};
const B = {identifier: 'B-1', title: 'Second', state: 'Todo'};

function someThreads() {
  const troubles: string[] = [];
  const threads = new TrackerThreads({
    filename: TROUBLED,
    environment: {},
    onTrouble: (message) => troubles.push(message),
  });
  return Object.assign(threads, {troubles});
}

const told = (answer: Answer<readonly Issue[]>) =>
  answer.ok ? answer.value.map(({identifier}) => identifier).join() : answer.failure.message;

test('a tracker that never comes back stops no other', async () => {
  await using threads = someThreads();
  await Promise.all([threads.open('p', inMemory([A])), threads.open('q', inMemory([B]))]);
  const stuck = threads.issuesByStates('p', ['loop']);
  assert.equal(told(await threads.issuesByStates('q', ['Todo'])), 'B-1');
  assert.equal(told(await threads.issuesByIds('q', ['B-1'])), 'B-1');
  assert.deepEqual(threads.troubles, []);
  await threads[Symbol.asyncDispose]();
  assert.equal(told(await stuck), 'the tracker thread ended');
});

test('a thread that dies takes the calls of its own tracker with it, and no others', async () => {
  await using threads = someThreads();
  await Promise.all([threads.open('p', inMemory([A])), threads.open('q', inMemory([B]))]);
  const silent = threads.issuesByStates('q', ['silence']);
  assert.equal(told(await threads.issuesByStates('p', ['exit'])), 'the tracker thread ended');
  assert.equal(told(await threads.issuesByStates('p', ['Todo'])), 'A-1');
  await threads.close('q');
  assert.equal(told(await silent), 'the tracker thread ended');
  assert.equal(threads.troubles.length, 1);
});

test('a tracker keeps its thread with new settings; a closed tracker is not open', async () => {
  await using threads = someThreads();
  await threads.open('p', inMemory([A]));
  await threads.open('p', inMemory([B]));
  const notes = await threads.issuesByStates('p', ['notes']);
  // One thread saw both.
  assert.deepEqual(notes.ok && notes.warnings[0]?.examples, ['secrets {}', 'secrets {}']);
  await threads.close('p');
  await threads.close('p');
  assert.equal(told(await threads.issuesByIds('p', ['B-1'])), 'the project "p" is not open');
});
