import assert from 'node:assert/strict';
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
  const posted: string[] = [];
  const startRunner = (job: RunJob): Runner => {
    started.push('issue' in job ? job.issue.id : job.kind);
    let end = () => {};
    const exited = new Promise<RunnerExit>((resolve) => {
      end = () => resolve(CLEANED);
    });
    ends.push(end);
    return {
      ...{identity: null, exited, stop: () => {}, kill: async () => []},
      [Symbol.asyncDispose]: async () => end(),
    };
  };
  const loop = {state: table.state, post: ({type}: {type: string}) => void posted.push(type)};
  const runners = new Runners(
    {startRunner, logsRoot: '/logs', life: 'life'},
    () => loop as unknown as Loop,
    {} as Trackers,
    {} as TrackerWork,
  );
  return {runners, started, ends, posted};
}

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
