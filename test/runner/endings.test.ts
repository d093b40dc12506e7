import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {RunJob} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';
import {noted, nothingIsLeftOf, startAndNote, until} from '../rig/survivors.ts';

/** What a run leaves behind at its worst: a child, a daemon, one that ignores SIGTERM. */
function mess(file: string): string {
  return [
    startAndNote('sleep 1001', file),
    startAndNote('setsid sleep 1002', file),
    startAndNote(`bash -c 'trap "" TERM; while true; do sleep 1003; done'`, file),
  ].join('\n');
}
const MESS_PROCESSES = 3;

test('after success nothing of the run is alive', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const pids = join(folder.path, 'pids');
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, hooks: {before_run: mess(pids)}}),
  );
  const turn = await puppet.nextTurn();
  await turn.runs(mess(pids));
  const started = await noted(pids, 2 * MESS_PROCESSES);
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
  await nothingIsLeftOf(runner.job.run_id, started);
});

test('a runner that breaks takes all that it has started with it', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const pids = join(folder.path, 'pids');
  const breaking = 'process.on("SIGUSR2",()=>{throw(new(Error)("unforeseen"))})';
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}}),
    {},
    {NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaking)}`},
  );
  const turn = await puppet.nextTurn();
  await turn.runs(mess(pids));
  const started = await noted(pids, MESS_PROCESSES);
  runner.process.kill('SIGUSR2');
  assert.deepEqual(await runner.exited, {code: 1, signal: null});
  await nothingIsLeftOf(runner.job.run_id, started);
});

test('after a failed turn nothing of the run is alive', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const pids = join(folder.path, 'pids');
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  await turn.runs(mess(pids));
  const started = await noted(pids, MESS_PROCESSES);
  await turn.fails('it broke');
  assert.equal((await runner.result()).failure?.code, 'turn_failed');
  await nothingIsLeftOf(runner.job.run_id, started);
});

test('a hook that exceeds its time limit is ended with all that it started', async () => {
  await using folder = await aFolder();
  const pids = join(folder.path, 'pids');
  await using runner = new RunnerRig(
    anAttempt(folder.path, {hooks: {before_run: `${mess(pids)}\nwait`, timeout_ms: 2000}}),
  );
  const started = await noted(pids, MESS_PROCESSES);
  const result = await runner.result();
  assert.equal(result.failure?.code, 'hook_timeout');
  await nothingIsLeftOf(runner.job.run_id, started);
});

for (const reason of ['stopped_by_operator', 'stalled', 'interrupted'] as const) {
  test(`stop (${reason}) in the middle of a command leaves no process`, async () => {
    await using folder = await aFolder();
    await using puppet = await AgentPuppet.listen();
    const pids = join(folder.path, 'pids');
    await using runner = new RunnerRig(
      anAttempt(folder.path, {
        agent: {command: puppet.command},
        hooks: {after_run: `echo "$SYMPHONY_OUTCOME" > '${folder.path}/outcome'`},
      }),
    );
    const turn = await puppet.nextTurn();
    await turn.startsRunning(`${mess(pids)}\nwait`);
    const started = await noted(pids, MESS_PROCESSES);
    runner.stop(reason);
    assert.equal((await runner.result()).outcome, reason);
    await nothingIsLeftOf(runner.job.run_id, started);
    assert.equal(await readFile(join(folder.path, 'outcome'), 'utf8'), `${reason}\n`);
    assert.ok(turn.agent.received('turn/interrupt').length > 0, 'the turn was not interrupted');
  });
}

test('an agent that ignores everything is forced to end', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  await turn.performs({ignore: 'SIGTERM'});
  await turn.performs({ignore: 'stdin'});
  runner.stop('stopped_by_operator');
  assert.equal((await runner.result()).outcome, 'stopped_by_operator');
  await nothingIsLeftOf(runner.job.run_id);
});

test('a grandchild that holds stdout open does not keep a run alive', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using runner = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  await turn.performs({leave: 'sleep 1004', holding: 'stdout'});
  await turn.agent.exits(3);
  const result = await runner.result();
  assert.equal(result.failure?.code, 'port_exit');
  assert.match(result.failure?.message ?? '', /exit code 3/);
  await nothingIsLeftOf(runner.job.run_id);
});

test('when the supervisor is killed the run ends by itself and after_run still runs', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const pids = join(folder.path, 'pids');
  const outcome = join(folder.path, 'outcome');
  const job = anAttempt(folder.path, {
    agent: {command: puppet.command},
    hooks: {after_run: `echo "$SYMPHONY_OUTCOME" > '${outcome}'`},
  });
  await using parent = await aParent(folder.path, job);
  const turn = await puppet.nextTurn();
  await turn.startsRunning(`${mess(pids)}\nwait`);
  const started = await noted(pids, MESS_PROCESSES);
  parent.kill();
  await nothingIsLeftOf(job.run_id, started);
  const said = await until(async () => readFile(outcome, 'utf8').catch(() => null));
  assert.equal(said, 'interrupted\n');
});

test('without its supervisor a run does not wait for a slow after_run', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {
    agent: {command: puppet.command},
    hooks: {after_run: 'sleep 1005', timeout_ms: 1_000_000},
  });
  await using parent = await aParent(folder.path, job);
  await puppet.nextTurn();
  parent.kill();
  await nothingIsLeftOf(job.run_id);
});

/** A process that forks a runner, as a supervisor does, and that can be killed. */
async function aParent(folder: string, job: RunJob): Promise<AsyncDisposable & {kill: () => void}> {
  const runner = fileURLToPath(
    new URL('../../packages/orchestrator/dist/runner.cjs', import.meta.url),
  );
  const script = join(folder, 'parent.cjs');
  await writeFile(
    script,
    `const {fork} = require('node:child_process');
     const child = fork(${JSON.stringify(runner)}, {
       detached: true,
       stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
       env: {...process.env, HOME: ${JSON.stringify(folder)}, SYMPHONY_RUN_ID: ${JSON.stringify(job.run_id)}},
     });
     child.send({order: 'start', job: ${JSON.stringify(job)}});`,
  );
  const parent = spawn(process.execPath, [script], {stdio: 'inherit'});
  const exited = once(parent, 'exit');
  return {
    kill: () => parent.kill('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      parent.kill('SIGKILL');
      await exited;
    },
  };
}
