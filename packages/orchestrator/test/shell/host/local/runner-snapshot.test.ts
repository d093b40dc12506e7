import assert from 'node:assert/strict';
import {fork} from 'node:child_process';
import {on, once} from 'node:events';
import {chown, copyFile, mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {setTimeout} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {AttemptJob} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {ending} from '../../../../../../test/rig/ending.ts';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {aCleaning, anAttempt} from '../../../../../../test/rig/fixtures/job.ts';
import {RUNNER_FLAGS} from '../../../../src/shell/host/local/fork-runner.ts';
import {RunnerSnapshot} from '../../../../src/shell/host/local/runner-snapshot.ts';
import {Listening} from './listening.ts';

const DIST = fileURLToPath(new URL('../../../../dist', import.meta.url));

/** The runner as it is shipped, in a folder where nothing was made yet. */
async function anInstall(folder: string): Promise<string> {
  const install = join(folder, 'install');
  await mkdir(install);
  for (const name of ['runner.cjs', 'runner-liquid.cjs']) {
    await copyFile(join(DIST, name), join(install, name));
  }
  return join(install, 'runner.cjs');
}

function snapshotOf(path: string, env: Record<string, string> = {}): RunnerSnapshot {
  const elsewhere = join(dirname(path), '../elsewhere');
  return new RunnerSnapshot(path, elsewhere, {PATH: process.env.PATH, ...env});
}

/** What the runner after so many others is started with, once everything is settled. */
async function optionsAfter(snapshot: RunnerSnapshot, starts: number): Promise<readonly string[]> {
  for (let start = 0; start < starts; start++) {
    snapshot.nodeOptions(false);
    await snapshot.settled();
  }
  return snapshot.nodeOptions(false);
}

/** What an earlier life has left, for a runner that may fail. */
function found(snapshot: RunnerSnapshot): readonly string[] {
  snapshot.find();
  return snapshot.nodeOptions(true);
}

/** How it was started, and what it told its agent. */
async function attempt(
  path: string,
  nodeOptions: readonly string[],
  fields: Partial<AttemptJob> = {},
) {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const agent = {command: `echo "$SYMPHONY_STEP_ID" > ../../step; ${puppet.command}`};
  const job = anAttempt(folder.path, {...fields, agent});
  await using listening = new Listening(job, {path, nodeOptions}, async ({id}) => ({
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

test('the first runners start as ever; later ones from a snapshot, which does the whole work', async () => {
  await using folder = await aFolder();
  const path = await anInstall(folder.path);
  const snapshot = snapshotOf(path);
  assert.deepEqual(found(snapshot), []);
  assert.deepEqual(await optionsAfter(snapshot, 2), []);
  const options = await optionsAfter(snapshot, 1);
  assert.equal(options[0], '--snapshot-blob');

  const first = await attempt(path, options);
  assert.match(first.command, /--snapshot-blob/);
  // No id of one process is that of another.
  assert.notEqual((await attempt(path, options)).step, first.step);
  // A prompt in Liquid needs code that is not in it.
  const prompt = {template: 'Do {{ issue.title | upcase }}', engine: 'liquid'} as const;
  assert.match((await attempt(path, options, {prompt})).input, /^Do [A-Z ]+$/m);

  // Nothing is left of the rehearsal, and another life finds what was made.
  assert.equal((await readdir(join(path, '../snapshot'))).length, 1);
  assert.deepEqual(found(snapshotOf(path)), options);
  const another = snapshotOf(path);
  found(another);
  assert.deepEqual(another.nodeOptions(false), [], 'a run does not try what nobody has tried');
  another.prove();
  assert.deepEqual(another.nodeOptions(false), options);
  // With other flags it could not start.
  assert.deepEqual(found(snapshotOf(path, {NODE_OPTIONS: '--max-lazy'})), []);
  // After a runner that never began, the others do without.
  snapshot.giveUp();
  assert.deepEqual(await optionsAfter(snapshot, 5), []);
  // One that is damaged is not used again, even if V8 would not notice.
  const file = options[1] ?? '';
  const bytes = await readFile(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
  await writeFile(file, bytes);
  assert.deepEqual(found(snapshotOf(path)), []);
  assert.deepEqual(await readdir(join(path, '../snapshot')), []);
  assert.deepEqual(another.nodeOptions(false), [], 'what is gone is not used');
});

test('its clock starts with the process, not with the one that made it', async () => {
  await using folder = await aFolder();
  const path = await anInstall(folder.path);
  const execArgv = [...RUNNER_FLAGS, ...(await optionsAfter(snapshotOf(path), 5))];
  assert.match(execArgv.join(' '), /--snapshot-blob/);
  const child = fork(path, {execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc']});
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

test('where the runner is not ours, it lies in the state dir', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can give a folder away');
  await using folder = await aFolder();
  const path = await anInstall(folder.path);
  await chown(dirname(path), 65_534, 65_534);
  const [, file = ''] = await optionsAfter(snapshotOf(path), 5);
  assert.equal(dirname(file), join(folder.path, 'elsewhere'));
});

test('where none can be made, runners start as ever', async () => {
  await using folder = await aFolder();
  const path = await anInstall(folder.path);
  const refused = snapshotOf(path, {NODE_OPTIONS: '--no-such-option'});
  assert.deepEqual(await optionsAfter(refused, 6), []);
  assert.deepEqual(await readdir(join(path, '../snapshot')), []);
  await rm(join(path, '../snapshot'), {recursive: true});
  await writeFile(join(path, '../snapshot'), 'no folder');
  assert.deepEqual(await optionsAfter(snapshotOf(path), 6), []);
});

test('a runner that ends before its first word says so to whoever chose how to start it', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'blob'), 'no snapshot');
  const path = join(DIST, 'runner.cjs');
  const begun: boolean[] = [];
  const onStart = (hasBegun: boolean) => void begun.push(hasBegun);
  const nodeOptions = ['--snapshot-blob', join(folder.path, 'blob')];
  await using stillborn = new Listening(anAttempt(folder.path), {path, nodeOptions, onStart});
  const {failure, isStillborn} = await stillborn.runner.exited;
  assert.deepEqual([failure?.code, isStillborn], ['runner_crashed', true]);
  await using cleaning = new Listening(aCleaning(folder.path), {path, onStart});
  assert.equal((await cleaning.runner.exited).isStillborn, false);
  assert.deepEqual(begun, [false, true]);
});
