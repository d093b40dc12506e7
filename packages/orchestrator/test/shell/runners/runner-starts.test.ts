import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import type {RunJob} from '@symphony-supervisor/protocol';
import type {Runner, RunnerEvents} from '../../../src/shell/host/runner.ts';
import type {Loop} from '../../../src/shell/loop.ts';
import type {Trackers} from '../../../src/shell/outside.ts';
import {Runners} from '../../../src/shell/runners/runners.ts';
import {REAL_CLOCK} from '../../../src/shell/timers.ts';
import type {TrackerWork} from '../../../src/shell/trackers/tracker-work.ts';
import {anIssue, Table} from '../../core/builders.ts';
import {fakeHost} from '../host/fake-host.ts';

const AT_ONCE = 3;

/** Claims of these issues, of some of which the tracker does not answer, or fails to; runners that start on demand. */
function scene(
  ids: readonly string[],
  silent: readonly string[] = [],
  failing: readonly string[] = [],
) {
  const table = new Table();
  const issues = ids.map((id) => anIssue({id, identifier: `ABC-${id}`}));
  table.project({}, issues);
  for (const issue of issues) table.starts(issue);
  const started: string[] = [];
  const greetings: (() => void)[] = [];
  const exits: RunnerEvents['onExit'][] = [];
  const posted: string[] = [];
  const startRunner = (job: RunJob, {onExit}: RunnerEvents): Runner => {
    assert.ok(job.kind === 'attempt');
    started.push(job.issue.id);
    exits.push(onExit);
    return {
      ...{identity: null, exited: new Promise(() => {}), stop: () => {}, kill: async () => []},
      ready: new Promise<void>((resolve) => greetings.push(resolve)),
      [Symbol.asyncDispose]: async () => {},
    };
  };
  const loop = {state: table.state, post: ({type}: {type: string}) => void posted.push(type)};
  const runners = new Runners(
    {host: fakeHost(startRunner, AT_ONCE), clock: REAL_CLOCK, life: 'life', log: () => {}},
    () => loop as unknown as Loop,
    {
      tools: async (_: string, {id}: {id: string}) =>
        silent.includes(id)
          ? new Promise(() => {})
          : failing.includes(id)
            ? {ok: false, failure: {code: 'tracker_request', message: 'down'}}
            : {ok: true, value: []},
    } as unknown as Trackers,
    {} as TrackerWork,
  );
  const start = (id: string) => {
    const claim = table.state.claims.get(`p/${id}`);
    assert.ok(claim !== undefined && 'run' in claim && claim.run !== null);
    void runners.start(`p/${id}`, claim.run);
    return claim.run.id;
  };
  return {runners, started, greetings, exits, posted, start};
}

test('as many runners start at a time as their host can; the others in turn', async () => {
  const ids = Array.from({length: AT_ONCE + 2}, (_, index) => `${index + 1}`);
  const {runners, started, greetings, posted, start} = scene(ids);
  const runIds = ids.map(start);
  await turn();
  assert.deepEqual(started, ids.slice(0, -2));
  // One that is told to stop before it was forked never is.
  runners.stop(runIds.at(-2) ?? '', 'interrupted', null);
  greetings[0]?.();
  await turn();
  assert.deepEqual(started, [...ids.slice(0, -2), ids.at(-1)]);
  assert.deepEqual(posted, ['runner.exited']);
});

test('a tracker that does not answer holds up nobody else', async () => {
  const silent = Array.from({length: AT_ONCE}, (_, index) => `silent-${index}`);
  const {started, start} = scene([...silent, 'other'], silent);
  for (const id of [...silent, 'other']) start(id);
  await turn();
  assert.deepEqual(started, ['other']);
});

test('what still waits to start at the end is left to the next life', async () => {
  const ids = Array.from({length: AT_ONCE + 1}, (_, index) => `${index + 1}`);
  const {runners, started, greetings, start} = scene(ids);
  for (const id of ids) start(id);
  await turn();
  await runners[Symbol.asyncDispose]();
  for (const greet of greetings) greet();
  await turn();
  assert.deepEqual(started, ids.slice(0, -1), 'nobody would end it any more');
});

test('without its tools no run is started', async () => {
  const {started, posted, start} = scene(['1', '2'], [], ['1']);
  start('1');
  start('2');
  await turn();
  assert.deepEqual(started, ['2']);
  assert.deepEqual(posted, ['run.not_started']);
});

test('a runner that could not start from its snapshot is started again, in the same run', async () => {
  const {started, exits, posted, start} = scene(['1']);
  start('1');
  await turn();
  const ended = {conclusion: null, result: null, how: 'exit code 1', failure: null};
  exits[0]?.({...ended, mayStartAgain: true});
  assert.deepEqual(started, ['1', '1']);
  assert.deepEqual(posted, []);
  exits[1]?.({...ended, mayStartAgain: false});
  assert.deepEqual(started, ['1', '1']);
  assert.deepEqual(posted, ['runner.exited']);
});
