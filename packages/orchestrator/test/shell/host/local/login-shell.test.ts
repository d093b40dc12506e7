import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import type {LoginOptions, LoginReading} from '@symphony-supervisor/protocol/processes';
import {LoginShell} from '../../../../src/shell/host/local/login-shell.ts';
import {aWorkflow} from '../../../core/builders.ts';
import {FakeClock} from '../../fake-clock.ts';

const PROFILE = '/home/me/.profile';
const OWN = {PATH: '/bin', DESK_KEY: 'ours'};
const HOURS = 3_600_000;

/** A login shell whose readings end when the test says so. */
function scene(workflows = [aWorkflow()]) {
  const clock = new FakeClock();
  const logged: Readonly<Record<string, unknown>>[] = [];
  const asked: LoginOptions[] = [];
  const answers: ((reading: LoginReading) => void)[] = [];
  const login = new LoginShell({
    ...{environment: OWN, workflows: () => workflows, clock},
    log: (level, fields) => void logged.push({level, ...fields}),
    read: (options) => {
      asked.push(options);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  const answer = async (reading: LoginReading): Promise<void> => {
    await turn(); // a reading begins a moment after it was asked for
    answers.shift()?.(reading);
    await turn();
  };
  const reads = (variables: Record<string, string>) =>
    answer({ok: true, variables, tookMs: 20, profile: PROFILE});
  const fails = () => answer({ok: false, reason: 'it hung', tookMs: 10_000, profile: PROFILE});
  return {login, clock, logged, asked, reads, fails};
}

test('every job waits for the first reading, and one reading is enough for all', async () => {
  const {login, clock, asked, reads, logged} = scene();
  login.renew();
  const both = [login.environment(), login.environment()];
  assert.deepEqual(login.facts, null);
  await reads({MADE: '1'});
  assert.deepEqual(await Promise.all(both), [{MADE: '1'}, {MADE: '1'}]);
  assert.deepEqual(await login.environment(), {MADE: '1'});
  assert.equal(asked.length, 1);
  const at = new Date(clock.now()).toISOString();
  assert.deepEqual(login.facts, {at, took_ms: 20, profile: PROFILE, problem: null});
  const line = {level: 'info', event: 'login.read', took_ms: 20, profile: PROFILE};
  assert.deepEqual(logged, [line], 'the log has its time, and nothing of the environment');
});

test('a reading that fails leaves the last good one in force, else our own; a warning says which', async () => {
  const {login, fails, reads, logged} = scene();
  login.renew();
  await fails();
  assert.deepEqual(await login.environment(), OWN);
  assert.match(
    String(logged[0]?.reason),
    /\.profile\).*10000 ms.*it hung.*supervisor's environment/,
  );
  login.renew();
  await reads({MADE: '1'});
  login.renew();
  await fails();
  assert.deepEqual(await login.environment(), {MADE: '1'});
  assert.deepEqual([logged[2]?.level, logged[2]?.event], ['warn', 'login.failed']);
  assert.match(String(logged[2]?.reason), /the environment read before/);
  assert.equal(login.facts?.problem, 'it hung');
});

test('requests that come during a reading are answered by one more after it', async () => {
  const {login, asked, reads} = scene();
  login.renew();
  await turn();
  login.renew();
  login.renew();
  const environment = login.environment();
  await reads({MADE: 'before'});
  await reads({MADE: 'after'});
  assert.deepEqual(await environment, {MADE: 'after'});
  assert.equal(asked.length, 2);
});

test('after half a day the next job brings about a new reading', async () => {
  const {login, clock, asked, reads} = scene();
  login.renew();
  await reads({MADE: '1'});
  await login.environment();
  clock.pass(11 * HOURS);
  await login.environment();
  assert.equal(asked.length, 1);
  clock.pass(HOURS);
  const environment = login.environment();
  await reads({MADE: '2'});
  assert.deepEqual(await environment, {MADE: '2'});
});

test('no project sees a secret of any tracker, also of one that was added later', async () => {
  const tracker = (secretNames: readonly string[]) => aWorkflow({tracker: {secretNames}});
  const workflows = [tracker(['DESK_KEY'])];
  const {login, asked, reads} = scene(workflows);
  login.renew();
  await reads({MADE: '1', DESK_KEY: 'x', OTHER_KEY: 'y'});
  assert.deepEqual(await login.environment(), {MADE: '1', OTHER_KEY: 'y'});
  assert.deepEqual(asked[0]?.secretNames, ['DESK_KEY']);
  workflows.push(tracker(['OTHER_KEY']));
  assert.deepEqual(await login.environment(), {MADE: '1'});
});

test('where every project starts login shells, none is run for them', async () => {
  const {login, asked} = scene([aWorkflow({agent: {shell: 'login'}})]);
  login.renew();
  assert.deepEqual(await login.environment(), OWN);
  assert.equal(asked.length, 0);
});

test('the end calls off a reading, waits for it, and says nothing of it', async () => {
  const {login, asked, fails, logged} = scene();
  login.renew();
  await turn();
  const ended = login[Symbol.asyncDispose]();
  assert.equal(asked[0]?.signal?.aborted, true);
  await fails();
  await ended;
  assert.deepEqual(logged, []);
  login.renew();
  await login.environment();
  assert.equal(asked.length, 1);
});
