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
  /** What the runner after so many others starts from, once nothing is being made. */
  const after = async (starts: number): Promise<string | null> => {
    for (let start = 0; start < starts; start++) {
      snapshot.forNextRunner();
      await snapshot.settled();
    }
    return snapshot.forNextRunner();
  };
  return {snapshot, warnings, after};
}

async function aSnapshot(stateDir: string): Promise<string> {
  const file = await aLife(stateDir).after(11);
  assert.ok(file !== null);
  return file;
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
  assert.equal(await life.after(9), null);
  const file = await life.after(1);
  assert.equal(dirname(file ?? ''), join(folder.path, 'snapshot'));
  assert.equal(await readdir(dirname(file ?? '')).then((names) => names.length), 1);

  const first = await attempt(file);
  assert.match(first.command, /--snapshot-blob/);
  // No id of one process is that of another.
  assert.notEqual((await attempt(file)).step, first.step);
  // A prompt in Liquid needs code that is not in it.
  const prompt = {template: 'Do {{ issue.title | upcase }}', engine: 'liquid'} as const;
  assert.match((await attempt(file, {prompt})).input, /^Do [A-Z ]+$/m);

  assert.equal(await aLife(folder.path).after(0), file, 'another life starts with what was made');
  const other = aLife(folder.path, RUNNER, {NODE_OPTIONS: '--max-lazy'});
  assert.equal(await other.after(0), null, 'with other options V8 would refuse it');
  assert.deepEqual([...life.warnings, ...other.warnings], []);
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
  const file = await life.after(11);
  await rm(join(folder.path, 'snapshot'), {recursive: true});
  assert.equal(await life.after(0), null);
  await life.snapshot.settled();
  assert.equal(dirname((await life.after(0)) ?? ''), dirname(file ?? ''));
});

test('one that was cut short is not used, which is logged, and made again', async () => {
  await using folder = await aFolder();
  const file = await aSnapshot(folder.path);
  await truncate(file, (await readFile(file)).length >> 1);
  const life = aLife(folder.path);
  assert.equal(await life.after(0), null);
  assert.deepEqual(life.warnings, [`${file} was cut short`]);
  assert.deepEqual(await readdir(join(folder.path, 'snapshot')), []);
  assert.ok((await life.after(11)) !== null);
});

test('a new build of the runner gets a new snapshot, and the old one is removed', async () => {
  await using folder = await aFolder();
  const install = join(folder.path, 'install');
  await mkdir(install);
  const runner = join(install, 'runner.cjs');
  await copyFile(RUNNER, runner);
  const first = await aLife(folder.path, runner).after(11);
  await appendFile(runner, '\n');
  const second = await aLife(folder.path, runner).after(11);
  assert.ok(first !== null && second !== null && first !== second);
  assert.equal((await readdir(join(folder.path, 'snapshot'))).length, 1);
  assert.deepEqual(await readdir(install), ['runner.cjs'], 'nothing is written beside the runner');
});

test('where none can be made, runners start from the bundle, and it is logged once', async () => {
  await using folder = await aFolder();
  const refused = aLife(folder.path, RUNNER, {NODE_OPTIONS: '--no-such-option'});
  assert.equal(await refused.after(12), null);
  assert.match(refused.warnings.join(), /^none can be made: .*no-such-option/s);
  assert.equal(refused.warnings.length, 1);
  await using other = await aFolder();
  await writeFile(join(other.path, 'file'), '');
  const blocked = aLife(join(other.path, 'file'));
  assert.equal(await blocked.after(12), null);
  assert.equal(blocked.warnings.length, 1);
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
