import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {TrackerSettings} from '@symphony-supervisor/protocol';
import {answer} from '../src/answer.ts';
import {OpenProject} from '../src/thread/open-project.ts';

const SETTINGS: TrackerSettings = {
  kind: 'memory',
  provider: {},
  secrets: {api_key: {from: 'value', value: 'written-in-the-file'}},
  secretNames: [],
  activeStates: [],
  terminalStates: [],
  unstartedStates: [],
  requiredLabels: [],
  excludedLabels: [],
  inProgressState: null,
  handoffState: null,
};

test('a call that nothing ends is ended by its limit', async () => {
  await using project = new OpenProject(SETTINGS, {});
  // A limit alone keeps no thread alive, and here is nothing else that would.
  const alive = setInterval(() => {}, 1_000);
  const cut = await project.ask<never>(20, () => new Promise(() => {}));
  clearInterval(alive);
  const message = 'the tracker did not respond within 20 ms';
  assert.deepEqual(cut, {ok: false, failure: {code: 'tracker_request', message}});
});

test('an exception is a failure, too, and tells no secret', async () => {
  await using project = new OpenProject(SETTINGS, {KEY: 'given-by-a-variable'});
  const failed = await project.ask(30_000, () => {
    throw new TypeError('bad header: given-by-a-variable, written-in-the-file');
  });
  assert.ok(!failed.ok && failed.failure.code === 'tracker_request');
  assert.match(failed.failure.message, /adapter failed: TypeError: bad header/);
  assert.doesNotMatch(failed.failure.message, /given-by|written-in/);
});

test('what a kind of tracker cannot do is said', async () => {
  await using project = new OpenProject(SETTINGS, {});
  const failed = await project.ask(30_000, () => null);
  assert.ok(!failed.ok && failed.failure.code === 'invalid_tracker_config');
  assert.deepEqual(await project.ask(30_000, () => answer('yes')), answer('yes'));
});
