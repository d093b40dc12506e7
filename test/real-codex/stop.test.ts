import assert from 'node:assert/strict';
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {test} from 'node:test';
import type {AttemptJob} from '@symphony-supervisor/protocol';
import {findProcesses} from '@symphony-supervisor/protocol/processes';
import {Sleepers} from './binary/sleepers.ts';
import {runMarker, Scene} from './scene.ts';
import {hang, say, shell} from './stub/stub-step.ts';
import {until} from './until.ts';

const MIDDLEMAN = join(import.meta.dirname, 'binary/middleman.mjs');
const RUNNER = resolve(import.meta.dirname, '../../packages/orchestrator/dist/runner.cjs');
const SANDBOXES = ['workspace-write', 'danger-full-access'];

for (const sandbox of SANDBOXES) {
  test(`a stop ends the agent and all that it runs, under ${sandbox}`, async (t) => {
    await using scene = await Scene.open(t);
    const sleepers = new Sleepers();
    scene.stub.answers([shell(sleepers.command), hang()]);
    const job = anAttemptThatTells(scene, sandbox);
    await using runner = scene.start(job);
    await until('the command runs', () => sleepers.alive === 3);

    runner.stop('canceled_by_reconciliation');
    const result = await runner.result();

    assert.equal(result.outcome, 'canceled_by_reconciliation');
    assert.equal(result.failure, null);
    assert.equal(sleepers.alive, 0);
    assert.deepEqual(processesOf(job), []);
    assert.equal(await outcomeTold(scene), 'canceled_by_reconciliation');
    assert.deepEqual(await readdir(scene.workspace), []);
    assert.deepEqual(runner.all('note'), []);
  });

  test(`a runner that loses its supervisor ends all by itself, under ${sandbox}`, async (t) => {
    await using scene = await Scene.open(t);
    const sleepers = new Sleepers();
    scene.stub.answers([shell(sleepers.command), hang()]);
    const job = anAttemptThatTells(scene, sandbox);
    scene.expect(job);
    const supervisor = fork(MIDDLEMAN, [RUNNER, JSON.stringify(job)], {
      execArgv: [],
      env: {...process.env, ...scene.env},
    });
    t.after(() => supervisor.kill('SIGKILL')); // should the test fail before it does
    const gone = once(supervisor, 'exit');
    await until('the command runs', () => sleepers.alive === 3);

    supervisor.kill('SIGKILL');
    await gone;

    await until('all processes of the run are gone', () => processesOf(job).length === 0);
    assert.equal(sleepers.alive, 0);
    assert.equal(await outcomeTold(scene), 'interrupted');
    assert.deepEqual(await readdir(scene.workspace), []);
  });
}

test('what a command leaves in the background ends with the run', async (t) => {
  await using scene = await Scene.open(t);
  const sleepers = new Sleepers();
  const command = `(${sleepers.command}) > /dev/null 2>&1 & echo started`;
  scene.stub.answers([shell(command), say('it runs')]);
  const job = anAttemptThatTells(scene, 'danger-full-access');
  await using runner = scene.start(job);

  assert.equal((await runner.result()).outcome, 'succeeded');

  assert.equal(sleepers.alive, 0);
  assert.deepEqual(processesOf(job), []);
  assert.equal(await outcomeTold(scene), 'succeeded');
});

test('a stop while the model is silent interrupts the turn', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([hang()]);
  const job = anAttemptThatTells(scene, 'workspace-write');
  await using runner = scene.start(job);
  await scene.stub.requestAt(0);

  runner.stop('stopped_by_operator');

  assert.equal((await runner.result()).outcome, 'stopped_by_operator');
  assert.match(await scene.transcriptOf(job), /"turn\/completed".*"status":"interrupted"/);
  assert.equal(await outcomeTold(scene), 'stopped_by_operator');
});

/** Its last hook writes down how it was told that the run ended. */
function anAttemptThatTells(scene: Scene, sandbox: string): AttemptJob {
  return scene.attempt({
    agent: {thread_sandbox: sandbox},
    hooks: {after_run: `echo "$SYMPHONY_OUTCOME" > '${outcomeFile(scene)}'`},
  });
}

async function outcomeTold(scene: Scene): Promise<string> {
  const file = outcomeFile(scene);
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : 'after_run did not run';
}

function outcomeFile({folder}: Scene): string {
  return join(folder, 'outcome');
}

function processesOf(job: AttemptJob): number[] {
  const found = findProcesses({roots: [], markers: [runMarker(job)], except: []});
  return found.map(({pid}) => pid);
}
