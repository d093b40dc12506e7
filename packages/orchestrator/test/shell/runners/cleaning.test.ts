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
  readonly isStillborn: () => Promise<void>;
}

/** Claims by these names; and runners whose processes end when they are told to. */
function scene(names: readonly string[], projects: readonly string[] = ['p']) {
  const table = new Table();
  const issues = names.map((id) => anIssue({id}));
  for (const name of projects) {
    table.project({name, agent: {maxConcurrentAgents: 100}}, issues);
    for (const issue of issues) table.starts(issue, name);
  }
  const clock = new FakeClock();
  const started: Started[] = [];
  const posted: [string, Failure | null][] = [];
  let isReady = () => {};
  const startRunner = (job: RunJob): Runner => {
    if (job.kind === 'attempt') {
      const ready = new Promise<void>((resolve) => {
        isReady = resolve;
      });
      const never = new Promise<never>(() => {});
      return {
        ...{identity: null, exited: never, ready, stop: () => {}, kill: async () => []},
        [Symbol.asyncDispose]: async () => {},
      };
    }
    assert.ok(job.kind === 'clean');
    const paths = job.workspaces.map(({issue, workspace_path}) => {
      assert.ok(workspace_path.endsWith(`/${issue.identifier}`));
      return workspace_path;
    });
    let resolve = (_: RunnerExit) => {};
    const exited = new Promise<RunnerExit>((exits) => {
      resolve = exits;
    });
    const ends = (conclusion: Conclusion | null, failure: Failure | null, isStillborn = false) => {
      resolve({conclusion, result: null, how: 'it ended', failure, isStillborn});
      return aMoment(clock);
    };
    const crashes = () => ends(null, CRASH);
    const isStillborn = () => ends(null, CRASH, true);
    const concludes: Started['concludes'] = (...failures) =>
      ends({type: 'cleaned', outcomes: failures.map(outcomeOf)}, null);
    started.push({paths, concludes, crashes, isStillborn});
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
    {host: fakeHost(startRunner), clock, life: 'life', log: () => {}},
    () => loop as unknown as Loop,
    {tools: async () => ({ok: true, value: []})} as unknown as Trackers,
    {} as TrackerWork,
  );
  /** Returns how it says hello. */
  const startRun = (key: string) => {
    const claim = table.state.claims.get(key);
    assert.ok(claim !== undefined && 'run' in claim && claim.run !== null);
    void runners.start(key, claim.run);
    return () => isReady();
  };
  const order = (...keys: string[]) => {
    for (const key of keys) {
      const path = `/${key.replace('/', '/ABC-')}`;
      void runners.clean({key, host: 'local', path, keepWork: true});
    }
  };
  const clean = (...keys: string[]) => {
    order(...keys);
    return aMoment(clock);
  };
  return {runners, clock, loop, startRun, order, clean, started, posted};
}

function outcomeOf(failure: Failure | null): CleanOutcome {
  return failure === null ? {is: 'removed'} : {is: 'failed', failure};
}

/** As long as a cleaning waits for others. */
async function aMoment(clock: FakeClock): Promise<void> {
  await turn();
  clock.pass(300);
  await turn();
}

function pathsOf(started: readonly Started[]): string[][] {
  return started.map(({paths}) => paths);
}

test('workspaces that wait together are cleaned by one process, in the order in which they came', async () => {
  const {clean, started, posted} = scene(['1', '2', '3']);
  await clean('p/2', 'p/1', 'p/3');
  assert.deepEqual(pathsOf(started), [['/p/ABC-2', '/p/ABC-1', '/p/ABC-3']]);
  assert.deepEqual(posted, []);
  await started[0]?.concludes(null, STUCK, null);
  assert.deepEqual(posted, [
    ['p/2 /p/ABC-2', null],
    ['p/1 /p/ABC-1', STUCK],
    ['p/3 /p/ABC-3', null],
  ]);
  assert.equal(started.length, 1);
});

test('a cleaning waits a moment, and takes along what comes meanwhile', async () => {
  const {clock, order, started} = scene(['1', '2', '3']);
  order('p/1');
  await turn();
  clock.pass(299);
  order('p/2');
  await turn();
  assert.deepEqual(pathsOf(started), []);
  clock.pass(1);
  await turn();
  assert.deepEqual(pathsOf(started), [['/p/ABC-1', '/p/ABC-2']]);
  order('p/3');
  await aMoment(clock);
  assert.deepEqual(pathsOf(started.slice(1)), [['/p/ABC-3']], 'nothing is in its way');
});

test('what went along with others holds up nobody, and nothing is left to wait for', async () => {
  const names = Array.from({length: 20}, (_, index) => `${index}`);
  const {clock, clean, order, started} = scene([...names, 'late']);
  await clean(...names.map((name) => `p/${name}`));
  await started[0]?.concludes(...names.map(() => null));
  assert.equal(clock.pending, 0);
  order('p/late');
  await aMoment(clock);
  assert.deepEqual(pathsOf(started.slice(1)), [['/p/ABC-late']]);
});

test('a cleaning waits while runs are being started, but not for ever', async () => {
  const {clock, startRun, order, started} = scene(['1', '2', '3']);
  const ready = startRun('p/1');
  order('p/2');
  await aMoment(clock);
  assert.deepEqual(pathsOf(started), []);
  ready();
  await aMoment(clock);
  assert.deepEqual(pathsOf(started), [['/p/ABC-2']]);
  startRun('p/1');
  order('p/3');
  for (let passed = 0; passed < 5_000; passed += 300) {
    assert.equal(started.length, 1);
    await aMoment(clock);
  }
  assert.deepEqual(pathsOf(started.slice(1)), [['/p/ABC-3']]);
});

test('two processes clean at a time; what comes meanwhile goes together when one has ended', async () => {
  const {clean, started} = scene(['1', '2', '3', '4', '5']);
  await clean('p/1');
  await clean('p/2');
  await clean('p/3');
  await clean('p/4', 'p/5');
  assert.deepEqual(pathsOf(started), [['/p/ABC-1'], ['/p/ABC-2']]);
  await started[1]?.concludes(null);
  assert.deepEqual(pathsOf(started.slice(2)), [['/p/ABC-3', '/p/ABC-4', '/p/ABC-5']]);
});

test('one process has the hooks of one project, and at most fifty workspaces', async () => {
  const names = Array.from({length: 60}, (_, index) => `${index}`);
  const {clean, started, posted} = scene(names, ['p', 'q']);
  await clean('q/0', ...names.map((name) => `p/${name}`), 'q/1');
  const paths = names.map((name) => `/p/ABC-${name}`);
  assert.deepEqual(pathsOf(started), [['/q/ABC-0', '/q/ABC-1'], paths.slice(0, 50)]);
  await started[0]?.concludes(null, null);
  assert.deepEqual(pathsOf(started.slice(2)), [paths.slice(50)]);
  await started[1]?.concludes(...paths.map(() => null));
  await started[2]?.concludes(...paths.map(() => null));
  assert.equal(posted.length, 62);
});

test('a process that dies has cleaned nothing, as far as anybody knows', async () => {
  const {clean, started, posted} = scene(['1', '2']);
  await clean('p/1', 'p/2');
  await started[0]?.crashes();
  assert.deepEqual(posted, [
    ['p/1 /p/ABC-1', CRASH],
    ['p/2 /p/ABC-2', CRASH],
  ]);
});

test('a process that did not even begin is started once more', async () => {
  const {clean, started, posted} = scene(['1']);
  await clean('p/1');
  await started[0]?.isStillborn();
  assert.deepEqual(posted, []);
  assert.deepEqual(pathsOf(started), [['/p/ABC-1'], ['/p/ABC-1']]);
  await started[1]?.isStillborn();
  assert.deepEqual(posted, [['p/1 /p/ABC-1', CRASH]]);
  assert.equal(started.length, 2);
});

test('a claim that is gone when its turn comes is left out, and nothing is started for none', async () => {
  const {clean, loop, started, posted} = scene(['1', '2', '3', '4']);
  await clean('p/1');
  await clean('p/2');
  await clean('p/3', 'p/4');
  const claims = new Map(loop.state.claims);
  claims.delete('p/3');
  loop.state = {...loop.state, claims};
  await started[0]?.concludes(null);
  assert.deepEqual(pathsOf(started.slice(2)), [['/p/ABC-4']]);
  await started[2]?.concludes(STUCK);
  assert.deepEqual(posted.at(-1), ['p/4 /p/ABC-4', STUCK]);
  await clean('p/3');
  assert.equal(started.length, 3);
});

test('what still waits to be cleaned at the end is left to the next life', async () => {
  const {runners, clean, started} = scene(['1', '2', '3', '4']);
  await clean('p/1');
  await clean('p/2');
  await clean('p/3');
  const ordered = clean('p/4');
  await runners[Symbol.asyncDispose]();
  await ordered;
  assert.deepEqual(pathsOf(started), [['/p/ABC-1'], ['/p/ABC-2']], 'nobody would end it any more');
});

test('nor is anything started for what was ordered just before the end', async () => {
  const {runners, clock, clean, started} = scene(['1']);
  const ordered = clean('p/1');
  await runners[Symbol.asyncDispose]();
  assert.equal(clock.pending, 0, 'nothing keeps the process');
  await ordered;
  assert.deepEqual(started, []);
});
