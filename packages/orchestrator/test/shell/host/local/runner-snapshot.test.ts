import assert from 'node:assert/strict';
import {fork} from 'node:child_process';
import {on, once} from 'node:events';
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {setTimeout} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {AttemptJob} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {ending} from '../../../../../../test/rig/ending.ts';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {anAttempt} from '../../../../../../test/rig/fixtures/job.ts';
import {until} from '../../../../../../test/rig/survivors.ts';
import {RUNNER_FLAGS} from '../../../../src/shell/host/local/fork-runner.ts';
import {RunnerSnapshot} from '../../../../src/shell/host/local/runner-snapshot.ts';
import {Listening} from './listening.ts';

const DIST = fileURLToPath(new URL('../../../../dist', import.meta.url));
const RUNNER = join(DIST, 'runner.cjs');

/** A life of a supervisor with this state dir, and what it logs. */
function aLife(stateDir: string, runnerPath = RUNNER, env: Record<string, string> = {}) {
  const warnings: unknown[] = [];
  const snapshot = new RunnerSnapshot({
    runnerPath,
    folder: join(stateDir, 'snapshot'),
    environment: {PATH: process.env.PATH, ...env},
    log: (_level, fields) => void warnings.push(fields['reason']),
  });
  /** What the runner after so many others starts from. */
  const after = (starts: number): string | null => {
    for (let start = 0; start < starts; start++) snapshot.forNextRunner();
    return snapshot.forNextRunner();
  };
  /** As many start as it takes to have one made. */
  const made = async (): Promise<string> => {
    after(4);
    const file = await until(async () => snapshot.forNextRunner());
    assert.ok(file !== null, warnings.join());
    return file;
  };
  return {warnings, after, made};
}

async function aSnapshot(stateDir: string): Promise<string> {
  return aLife(stateDir).made();
}

/** How it was started, and what it told its agent. */
async function attempt(snapshot: string | null, fields: Partial<AttemptJob> = {}) {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const agent = {command: `echo "$SYMPHONY_STEP_ID" > ../../step; ${puppet.command}`};
  const job = anAttempt(folder.path, {...fields, agent});
  await using listening = new Listening(job, {path: RUNNER, snapshot}, async ({id}) => ({
    ...{answer: 'issue', id, value: {issue: job.issue, go_on: false}},
  }));
  const ended = listening.runner.exited.then(({failure}) => assert.fail(failure?.message));
  const turn = await Promise.race([puppet.nextTurn(), ended]);
  const command = await readFile(`/proc/${listening.runner.identity?.pid}/cmdline`, 'utf8');
  await turn.completes();
  const {how, result, failure} = await listening.runner.exited;
  assert.equal(result?.outcome, 'succeeded', failure?.message);
  assert.equal(how, 'exit code 0');
  return {command, input: turn.input, step: await readFile(join(folder.path, 'step'), 'utf8')};
}

test('the first runners start from the bundle; later ones from a snapshot, which does the whole work', async () => {
  await using folder = await aFolder();
  const life = aLife(folder.path);
  assert.equal(life.after(3), null);
  const file = await life.made();
  assert.equal(dirname(file), join(folder.path, 'snapshot'));
  assert.equal((await readdir(dirname(file))).length, 1, 'the rehearsal is gone');

  const first = await attempt(file);
  assert.match(first.command, /--snapshot-blob/);
  // No id of one process is that of another.
  assert.notEqual((await attempt(file)).step, first.step);
  // A prompt in Liquid needs code that is not in it.
  const prompt = {template: 'Do {{ issue.title | upcase }}', engine: 'liquid'} as const;
  assert.match((await attempt(file, {prompt})).input, /^Do [A-Z ]+$/m);

  assert.equal(aLife(folder.path).after(0), file, 'another life starts with what was made');
  const other = aLife(folder.path, RUNNER, {NODE_OPTIONS: '--max-lazy'});
  assert.equal(other.after(0), null, 'with other options V8 would refuse it');
  assert.deepEqual([...life.warnings, ...other.warnings], []);
});

test('as many as start at once all begin, however long that takes', async (t) => {
  await using folder = await aFolder();
  const execArgv = [...RUNNER_FLAGS, '--snapshot-blob', await aSnapshot(folder.path)];
  const hellos = Array.from({length: 40}, () => {
    const child = fork(RUNNER, {execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc']});
    const end = ending(child);
    t.after(() => end[Symbol.asyncDispose]());
    const exited = once(child, 'exit').then(([code]) => assert.fail(`exit code ${code}`));
    return Promise.race([once(child, 'message'), exited]);
  });
  await Promise.all(hellos);
});

test('its clock starts with the process, not with the one that made it', async () => {
  await using folder = await aFolder();
  const execArgv = [...RUNNER_FLAGS, '--snapshot-blob', await aSnapshot(folder.path)];
  const child = fork(RUNNER, {execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc']});
  await using _end = ending(child);
  await once(child, 'message');
  // By now it is later than it was when the snapshot was made.
  await setTimeout(2_000);
  const hooks = {before_run: 'sleep 600', timeout_ms: 300};
  child.send({order: 'start', job: anAttempt(folder.path, {hooks})});
  const limit = AbortSignal.timeout(30_000);
  const codes = [];
  for await (const [{report}] of on(child, 'message', {signal: limit})) {
    if (report.type === 'hook_ended') codes.push(report.failure?.code);
    if (report.type === 'result') break;
  }
  assert.deepEqual(codes, ['hook_timeout']);
  child.disconnect();
});

test('one that is gone is made again', async () => {
  await using folder = await aFolder();
  const life = aLife(folder.path);
  const file = await life.made();
  await rm(file);
  assert.equal(life.after(0), null);
  assert.equal(dirname(await life.made()), dirname(file));
});

test('one that was cut short is not used, which is logged, and made again', async () => {
  await using folder = await aFolder();
  const file = await aSnapshot(folder.path);
  await truncate(file, (await readFile(file)).length >> 1);
  const life = aLife(folder.path);
  assert.equal(life.after(0), null);
  assert.deepEqual(life.warnings, [`${file} is truncated`]);
  assert.deepEqual(await readdir(join(folder.path, 'snapshot')), []);
  await life.made();
});

test('a new build of the runner gets a new snapshot, and the old one is removed', async () => {
  await using folder = await aFolder();
  const install = join(folder.path, 'install');
  await mkdir(install);
  const runner = join(install, 'runner.cjs');
  await copyFile(RUNNER, runner);
  const first = await aLife(folder.path, runner).made();
  await appendFile(runner, '\n');
  assert.notEqual(await aLife(folder.path, runner).made(), first);
  assert.equal((await readdir(join(folder.path, 'snapshot'))).length, 1);
  assert.deepEqual(await readdir(install), ['runner.cjs'], 'nothing is written beside the runner');
});

test('where none can be made, runners start from the bundle, and it is logged once', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'file'), '');
  for (const life of [
    aLife(folder.path, RUNNER, {NODE_OPTIONS: '--no-such-option'}),
    aLife(join(folder.path, 'file')),
  ]) {
    assert.equal(life.after(4), null);
    assert.ok(await until(async () => (life.warnings.length > 0 ? true : null)));
    assert.match(String(life.warnings), /^it cannot be created: .*(no-such-option|ENOTDIR)/s);
    assert.equal(life.after(20), null);
    assert.equal(life.warnings.length, 1);
  }
});

test('a runner that cannot start from its snapshot says so, and can be started without', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'blob');
  await writeFile(path, 'no snapshot');
  await using failing = new Listening(anAttempt(folder.path), {path: RUNNER, snapshot: path});
  const {failure, mayStartAgain} = await failing.runner.exited;
  assert.deepEqual([failure?.code, mayStartAgain], ['runner_crashed', true]);
  await using stopped = new Listening(anAttempt(folder.path), {path: RUNNER, snapshot: path});
  stopped.runner.stop('interrupted');
  assert.equal((await stopped.runner.exited).mayStartAgain, false, 'it is not wanted any more');
  await attempt(null);
});
