import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import type {CleanOutcome, Failure, RunJob} from '@symphony-supervisor/protocol';
import type {Conclusion, Runner, RunnerExit} from '../../../src/shell/host/runner.ts';
import type {Loop} from '../../../src/shell/loop.ts';
import type {Trackers} from '../../../src/shell/outside.ts';
import {Runners} from '../../../src/shell/runners/runners.ts';
import type {TrackerWork} from '../../../src/shell/trackers/tracker-work.ts';
import {anIssue, Table} from '../../core/builders.ts';
import {FakeClock} from '../fake-clock.ts';
import {fakeHost} from '../host/fake-host.ts';

const CRASH: Failure = {code: 'runner_crashed', message: 'signal SIGKILL'};
const STUCK: Failure = {code: 'workspace_error', message: 'it cannot be removed'};

interface Started {
  readonly paths: string[];
  readonly concludes: (...failures: (Failure | null)[]) => Promise<void>;
  readonly crashes: () => Promise<void>;
  readonly mayStartAgain: () => Promise<void>;
}

/** Claims by these names; and runners whose processes end when they are told to. */
function scene(names: readonly string[], projects: readonly string[] = ['p']) {
  const table = new Table();
  const issues = names.map((id) => anIssue({id}));
  for (const name of projects) {
    table.project({name, agent: {maxConcurrentAgents: 100}}, issues);
    for (const issue of issues) table.starts(issue, name);
  }
  const started: Started[] = [];
  const posted: [string, Failure | null][] = [];
  const startRunner = (job: RunJob): Runner => {
    assert.ok(job.kind === 'clean');
    const paths = job.workspaces.map(({issue, workspace_path}) => {
      assert.ok(workspace_path.endsWith(`/${issue.identifier}`));
      return workspace_path;
    });
    let resolve = (_: RunnerExit) => {};
    const exited = new Promise<RunnerExit>((exits) => {
      resolve = exits;
    });
    const ends = (
      conclusion: Conclusion | null,
      failure: Failure | null,
      mayStartAgain = false,
    ) => {
      resolve({conclusion, result: null, how: 'it ended', failure, mayStartAgain});
      return turn();
    };
    const crashes = () => ends(null, CRASH);
    const mayStartAgain = () => ends(null, CRASH, true);
    const concludes: Started['concludes'] = (...failures) =>
      ends({type: 'cleaned', outcomes: failures.map(outcomeOf)}, null);
    started.push({paths, concludes, crashes, mayStartAgain});
    return {
      ...{identity: null, exited, ready: Promise.resolve(), stop: () => {}, kill: async () => []},
      [Symbol.asyncDispose]: crashes,
    };
  };
  const post: Loop['post'] = (event) => {
    assert.ok(event.type === 'workspace.cleaned');
    const {key, path, outcome} = event;
    posted.push([`${key} ${path}`, outcome.is === 'failed' ? outcome.failure : null]);
  };
  const loop = {state: table.state, post};
  const runners = new Runners(
    {host: fakeHost(startRunner), clock: new FakeClock(), life: 'life', log: () => {}},
    () => loop as unknown as Loop,
    {tools: async () => ({ok: true, value: []})} as unknown as Trackers,
    {} as TrackerWork,
  );
  const clean = (...keys: string[]) => {
    for (const key of keys) {
      runners.clean({key, host: 'local', path: `/${key.replace('/', '/ABC-')}`, keepWork: true});
    }
    return turn();
  };
  return {runners, loop, clean, started, posted};
}

function outcomeOf(failure: Failure | null): CleanOutcome {
  return failure === null ? {is: 'removed'} : {is: 'failed', failure};
}

function pathsOf(started: readonly Started[]): string[][] {
  return started.map(({paths}) => paths);
}

test('the first is cleaned at once; what comes meanwhile shares the next process, in the order in which it came', async () => {
  const {clean, started, posted} = scene(['1', '2', '3', '4']);
  await clean('p/2', 'p/1', 'p/3');
  await clean('p/4');
  assert.deepEqual(pathsOf(started), [['/p/ABC-2']], 'one process at a time');
  await started[0]?.concludes(null);
  assert.deepEqual(pathsOf(started.slice(1)), [['/p/ABC-1', '/p/ABC-3', '/p/ABC-4']]);
  assert.deepEqual(posted, [['p/2 /p/ABC-2', null]]);
  await started[1]?.concludes(null, STUCK, null);
  assert.deepEqual(posted.slice(1), [
    ['p/1 /p/ABC-1', null],
    ['p/3 /p/ABC-3', STUCK],
    ['p/4 /p/ABC-4', null],
  ]);
  assert.equal(started.length, 2);
});

test('one process has the hooks of one project, and at most fifty workspaces', async () => {
  const names = Array.from({length: 60}, (_, index) => `${index}`);
  const {clean, started, posted} = scene(names, ['p', 'q']);
  await clean('q/0', ...names.map((name) => `p/${name}`), 'q/1');
  await started[0]?.concludes(null);
  await started[1]?.concludes(...Array<null>(50).fill(null));
  await started[2]?.concludes(...Array<null>(10).fill(null));
  await started[3]?.concludes(null);
  const paths = names.map((name) => `/p/ABC-${name}`);
  const batches = [['/q/ABC-0'], paths.slice(0, 50), paths.slice(50), ['/q/ABC-1']];
  assert.deepEqual(pathsOf(started), batches);
  assert.equal(posted.length, 62);
});

test('a process that dies has cleaned nothing, as far as anybody knows', async () => {
  const {clean, started, posted} = scene(['1', '2', '3']);
  await clean('p/1', 'p/2', 'p/3');
  await started[0]?.crashes();
  await started[1]?.crashes();
  assert.deepEqual(posted, [
    ['p/1 /p/ABC-1', CRASH],
    ['p/2 /p/ABC-2', CRASH],
    ['p/3 /p/ABC-3', CRASH],
  ]);
});

test('a process that did not even begin is started once more', async () => {
  const {clean, started, posted} = scene(['1']);
  await clean('p/1');
  await started[0]?.mayStartAgain();
  assert.deepEqual(posted, []);
  assert.deepEqual(pathsOf(started), [['/p/ABC-1'], ['/p/ABC-1']]);
  await started[1]?.mayStartAgain();
  assert.deepEqual(posted, [['p/1 /p/ABC-1', CRASH]]);
  assert.equal(started.length, 2);
});

test('a claim that is gone when its turn comes is left out, and nothing is started for none', async () => {
  const {clean, loop, started, posted} = scene(['1', '3', '4']);
  await clean('p/1', 'p/3', 'p/4');
  const claims = new Map(loop.state.claims);
  claims.delete('p/3');
  loop.state = {...loop.state, claims};
  await started[0]?.concludes(null);
  assert.deepEqual(pathsOf(started.slice(1)), [['/p/ABC-4']]);
  await started[1]?.concludes(STUCK);
  assert.deepEqual(posted.at(-1), ['p/4 /p/ABC-4', STUCK]);
  await clean('p/3');
  assert.equal(started.length, 2);
});

test('what still waits to be cleaned at the end, or comes later, is left to the next life', async () => {
  const {runners, clean, started} = scene(['1', '2', '3']);
  await clean('p/1', 'p/2');
  await runners[Symbol.asyncDispose]();
  await clean('p/3');
  assert.deepEqual(pathsOf(started), [['/p/ABC-1']], 'no process outlives its supervisor');
});
