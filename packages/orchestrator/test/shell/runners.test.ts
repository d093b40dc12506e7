import assert from 'node:assert/strict';
import {availableParallelism} from 'node:os';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import type {RunJob} from '@symphony-supervisor/protocol';
import type {Loop} from '../../src/shell/loop.ts';
import type {Runner, Trackers} from '../../src/shell/outside.ts';
import type {RunnerExit} from '../../src/shell/runner-process.ts';
import {Runners} from '../../src/shell/runners.ts';
import type {TrackerWork} from '../../src/shell/tracker-work.ts';
import {anIssue, Table} from '../core/builders.ts';

const CLEANED: RunnerExit = {
  ...{
    conclusion: {type: 'cleaned', failure: null},
    result: null,
    how: 'exit code 0',
    failure: null,
  },
};

/** Runners whose processes end when they are told to. */
function scene(...ids: string[]) {
  const table = new Table();
  const issues = ids.map((id) => anIssue({id, identifier: `ABC-${id}`}));
  table.project({}, issues);
  for (const issue of issues) table.starts(issue);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const greetings: (() => void)[] = [];
  const posted: string[] = [];
  const startRunner = (job: RunJob): Runner => {
    started.push('issue' in job ? job.issue.id : job.kind);
    let end = () => {};
    const exited = new Promise<RunnerExit>((resolve) => {
      end = () => resolve(CLEANED);
    });
    ends.push(end);
    const ready = new Promise<void>((resolve) => greetings.push(resolve));
    return {
      ...{identity: null, exited, ready, stop: () => {}, kill: async () => []},
      [Symbol.asyncDispose]: async () => end(),
    };
  };
  const loop = {state: table.state, post: ({type}: {type: string}) => void posted.push(type)};
  const runners = new Runners(
    {startRunner, logsRoot: '/logs', life: 'life'},
    () => loop as unknown as Loop,
    {tools: async () => ({ok: true, value: []})} as unknown as Trackers,
    {} as TrackerWork,
  );
  const start = (id: string) => {
    const claim = table.state.claims.get(`p/${id}`);
    assert.ok(claim !== undefined && 'run' in claim && claim.run !== null);
    void runners.start(`p/${id}`, claim.run);
    return claim.run.id;
  };
  return {runners, started, ends, greetings, posted, start};
}

test('as many runners start at a time as there are processors, and one; the others in turn', async () => {
  const ids = Array.from({length: availableParallelism() + 3}, (_, index) => `${index + 1}`);
  const {runners, started, greetings, posted, start} = scene(...ids);
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

test('what still waits to start at the end is left to the next life', async () => {
  const ids = Array.from({length: availableParallelism() + 2}, (_, index) => `${index + 1}`);
  const {runners, started, greetings, start} = scene(...ids);
  for (const id of ids) start(id);
  await turn();
  await runners[Symbol.asyncDispose]();
  for (const greet of greetings) greet();
  await turn();
  assert.deepEqual(started, ids.slice(0, -1), 'nobody would end it any more');
});

test('two workspaces are cleaned at a time, the others in turn', async () => {
  const {runners, started, ends, posted} = scene('1', '2', '3');
  for (const id of ['1', '2', '3']) void runners.clean(`p/${id}`, `/workspaces/ABC-${id}`);
  await turn();
  assert.deepEqual(started, ['1', '2']);
  ends[0]?.();
  await turn();
  assert.deepEqual(started, ['1', '2', '3']);
  assert.deepEqual(posted, ['workspace.cleaned']);
});

test('what still waits to be cleaned at the end is left to the next life', async () => {
  const {runners, started} = scene('1', '2', '3');
  for (const id of ['1', '2', '3']) void runners.clean(`p/${id}`, `/workspaces/ABC-${id}`);
  await turn();
  await runners[Symbol.asyncDispose]();
  await turn();
  assert.deepEqual(started, ['1', '2'], 'nobody would end it any more');
});
