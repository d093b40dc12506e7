import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import {
  type AgentOptions,
  makeCleanJob,
  makeDeliverJob,
  makeFinishJob,
  makeProbeJob,
} from '@symphony-supervisor/protocol';
import type {Runner, RunnerEvents, RunnerExit} from '../../../src/shell/host/runner.ts';
import {type SmallJob, SmallJobs} from '../../../src/shell/runners/small-jobs.ts';
import {anIssue, aWorkflow} from '../../core/builders.ts';
import {FakeClock} from '../fake-clock.ts';

const KILLED: RunnerExit = {
  ...{conclusion: null, result: null, how: 'signal SIGKILL', mayStartAgain: false},
  failure: {code: 'runner_crashed', message: 'signal SIGKILL'},
};

/** A runner that says what it is told to say, and ends when it is killed. */
function scene() {
  const clock = new FakeClock();
  const told: string[] = [];
  const runners: {readonly events: RunnerEvents; readonly exits: (exit: RunnerExit) => void}[] = [];
  const startRunner = (_: unknown, events: RunnerEvents): Runner => {
    let exits: (exit: RunnerExit) => void = () => {};
    const exited = new Promise<RunnerExit>((resolve) => {
      exits = resolve;
    });
    runners.push({events, exits});
    const kill = async () => {
      exits(KILLED);
      return [];
    };
    return {
      ...{identity: null, exited, ready: Promise.resolve(), stop: () => {}, kill},
      [Symbol.asyncDispose]: async () => void (await kill()),
    };
  };
  const jobs = new SmallJobs({
    ...{host: {start: startRunner}, clock, life: 'life'},
    log: (_level, {event, job, reason}) => void told.push(`${event} ${job}: ${reason}`),
  });
  /** Time passes, and every few seconds the runner says that it lives. */
  const livesFor = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      runners.at(-1)?.events.onReport({type: 'heartbeat'});
      clock.pass(5_000);
    }
  };
  return {jobs, clock, runners, told, livesFor};
}

const DETAILS = {runId: 'life-job-1', transcriptPath: '/logs/1.jsonl'};
const IN_WORKSPACE = {...DETAILS, issue: anIssue(), attempt: null, workspacePath: '/w/ABC-1'};
const WORKSPACE = {issue: anIssue(), keep_work: true, workspace_path: '/w/ABC-1'};

const PROBE = makeProbeJob(aWorkflow({agent: {readTimeoutMs: 5_000}}), DETAILS);
const FINISH = makeFinishJob(aWorkflow({hooks: {timeoutMs: 60_000}}), {
  ...{...IN_WORKSPACE, outcome: 'failed'},
});
const DELIVER = makeDeliverJob(aWorkflow({hooks: {timeoutMs: 60_000}}), IN_WORKSPACE);
const CLEAN = makeCleanJob(aWorkflow({hooks: {timeoutMs: 60_000}}), {
  ...{...DETAILS, workspaces: [WORKSPACE, WORKSPACE]},
});

const ROWS: [SmallJob, number, string][] = [
  [PROBE, 40_000, 'response_timeout: the agent check'],
  [FINISH, 90_000, 'hook_timeout: after_run'],
  [DELIVER, 390_000, 'delivery_failed: the delivery'],
  [CLEAN, 750_000, 'workspace_error: the cleaning'],
];

for (const [job, limitMs, what] of ROWS) {
  test(`a ${job.kind} job that gives no sign of life is killed, and that is told`, async () => {
    const {jobs, clock, told, runners} = scene();
    const ended = jobs.run(job);
    runners[0]?.events.onReport({type: 'hello', protocol: 1, pid: 1});
    clock.pass(29_999);
    await turn();
    assert.deepEqual(told, []);
    clock.pass(1);
    const {failure} = await ended;
    const silence = 'gave no sign of life for 30 s';
    assert.equal(`${failure?.code}: ${failure?.message}`, `${what} ${silence}`);
    assert.deepEqual(told, [`job.killed ${job.kind}: ${silence}`]);
    assert.equal(runners.length, 1, 'it is not tried again at once');
  });

  test(`a ${job.kind} job that lives on for ever is killed at its deadline`, async () => {
    const {jobs, told, livesFor} = scene();
    const ended = jobs.run(job);
    livesFor(limitMs);
    const {failure} = await ended;
    const late = `did not end within ${limitMs / 1000} s`;
    assert.equal(`${failure?.code}: ${failure?.message}`, `${what} ${late}`);
    assert.deepEqual(told, [`job.killed ${job.kind}: ${late}`]);
  });
}

test('the check of an agent with a limit of its own for its start has that much time', async () => {
  const options: AgentOptions = {
    ...{kind: 'acp', preset: null, mode: null, permissions: 'allow'},
    ...{trust_repository: false, start_timeout_ms: 60_000},
  };
  const {jobs, told, livesFor} = scene();
  const workflow = aWorkflow({agent: {readTimeoutMs: 5_000, options}});
  const ended = jobs.run(makeProbeJob(workflow, DETAILS));
  livesFor(145_000);
  assert.deepEqual(told, []);
  livesFor(5_000);
  assert.match((await ended).failure?.message ?? '', /did not end within 150 s/);
});

test('a job that ends in time leaves no timer behind', async () => {
  const {jobs, clock, runners, told, livesFor} = scene();
  const ended = jobs.run(FINISH);
  livesFor(60_000);
  const exit: RunnerExit = {
    ...{conclusion: {type: 'finished', failure: null}, result: null, how: 'exit code 0'},
    ...{failure: null, mayStartAgain: false},
  };
  runners[0]?.exits(exit);
  assert.deepEqual(await ended, exit);
  clock.pass(10_000_000);
  assert.deepEqual(told, []);
});

test('a runner that did not begin is tried once more', async () => {
  const {jobs, runners} = scene();
  const ended = jobs.run(PROBE);
  runners[0]?.exits({...KILLED, mayStartAgain: true});
  await turn();
  assert.equal(runners.length, 2);
  runners[1]?.exits({...KILLED, mayStartAgain: true});
  assert.equal((await ended).mayStartAgain, true);
  assert.equal(runners.length, 2);
});

test('trash that is stuck is told by itself, and does not touch the verdict of the job', async () => {
  const {jobs, runners, told} = scene();
  const ended = jobs.run(CLEAN);
  runners[0]?.events.onReport({
    ...{type: 'trash_stuck', path: '/w/.symphony/trash/B-2-x', size_kb: null, reason: 'EPERM'},
  });
  const exit: RunnerExit = {
    ...{
      conclusion: {type: 'cleaned', outcomes: [{is: 'removed'}, {is: 'removed'}]},
      result: null,
      how: 'exit code 0',
    },
    ...{failure: null, mayStartAgain: false},
  };
  runners[0]?.exits(exit);
  assert.deepEqual(await ended, exit);
  const [line = ''] = told;
  assert.match(line, /^trash\.stuck .*B-2-x \(of unknown size\) .* remove it as root: EPERM$/);
});
