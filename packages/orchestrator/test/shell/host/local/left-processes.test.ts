import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {test} from 'node:test';
import {endProcesses, identify} from '@symphony-supervisor/protocol/processes';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {anAttempt} from '../../../../../../test/rig/fixtures/job.ts';
import {LeftProcesses} from '../../../../src/shell/host/local/left-processes.ts';
import {LocalHost} from '../../../../src/shell/host/local/local-host.ts';
import {openStore} from '../../../../src/store/index.ts';
import {Served} from '../../../http/served.ts';
import {Listening, RUNNER} from './listening.ts';

/** A process that sleeps, with the mark of a run. */
async function aSleeper(runId: string) {
  const env = {...process.env, SYMPHONY_RUN_ID: runId};
  const child = spawn('sleep', ['1000'], {env, stdio: 'ignore'});
  await once(child, 'spawn');
  const identity = identify(child.pid ?? 0);
  assert.ok(identity !== null);
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {identity, end, [Symbol.asyncDispose]: end};
}

test('a process that could not be ended is logged once, and shown until it is gone', async () => {
  await using first = await aSleeper('run-1');
  await using second = await aSleeper('run-2');
  const logged: unknown[] = [];
  const left = new LeftProcesses((level, fields) => void logged.push({level, ...fields}));
  left.note([first.identity]);
  left.note([first.identity, second.identity, {pid: process.pid, startedAt: 'another'}], 'run-x');
  const rows = [
    {run_id: 'run-1', pid: first.identity.pid, command: 'sleep'},
    {run_id: 'run-x', pid: second.identity.pid, command: 'sleep'},
  ];
  assert.deepEqual(left.rows, rows);
  assert.deepEqual(
    logged,
    rows.map((row) => ({level: 'error', event: 'processes.left', ...row})),
  );
  await first.end();
  assert.deepEqual(left.rows, rows.slice(1));
});

test('a runner that outlives SIGKILL is told to its supervisor', async (t) => {
  await using folder = await aFolder();
  const left: number[] = [];
  const onLeft = (processes: readonly {pid: number}[]) => {
    left.push(...processes.map(({pid}) => pid));
  };
  const hooks = {before_run: 'sleep 1000'};
  await using listening = new Listening(anAttempt(folder.path, {hooks}), {onLeft});
  const pid = listening.runner.identity?.pid ?? 0;
  await listening.heard('hello');
  // As for a process that hangs in the kernel: signals are sent, and nothing follows.
  const {mock} = t.mock.method(process, 'kill', () => true);
  const told = await listening.runner.kill();
  mock.restore();
  assert.ok(left.includes(pid));
  assert.deepEqual(
    left,
    told.map((identity) => identity.pid),
  );
});

test('the state has what is left of a former life and of a run, until it is gone', async () => {
  await using former = await aSleeper('run-of-a-former-life');
  await using latter = await aSleeper('a-run');
  await using served = await Served.start({
    issues: ['T-1'],
    outside: async (real, stateDir) => {
      const {store} = openStore(stateDir);
      store.save({life: 'former'});
      await store[Symbol.asyncDispose]();
      const environment = {...process.env, HOME: stateDir};
      return {
        ...real,
        openHost: (given) =>
          new LocalHost({
            ...{...given, stateDir, environment, runnerPath: RUNNER, clock: real.clock},
            endProcesses: async (query, graceMs) => {
              const left = await endProcesses(query, graceMs);
              const ofLife = query.prefixes?.includes('SYMPHONY_RUN_ID=former-') ?? false;
              return [...left, ofLife ? former.identity : latter.identity];
            },
          }),
      };
    },
  });
  const shown = () => served.supervisor.api.snapshot.supervisor.left_processes;
  const row = {pid: former.identity.pid, command: 'sleep', run_id: 'run-of-a-former-life'};
  assert.deepEqual(shown()[0], row);
  await served.puppet.nextTurn();
  const [run] = served.supervisor.api.snapshot.running;
  const [claim] = served.supervisor.state.claims.values();
  assert.ok(claim?.is === 'running' && claim.run.process !== null);
  process.kill(claim.run.process.pid, 'SIGKILL');
  await served.until(() => shown().length === 2);
  assert.deepEqual(shown(), [
    row,
    {pid: latter.identity.pid, command: 'sleep', run_id: run?.run_id},
  ]);
  await former.end();
  await latter.end();
  assert.deepEqual(shown(), []);
});
