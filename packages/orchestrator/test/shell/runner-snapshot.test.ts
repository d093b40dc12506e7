import assert from 'node:assert/strict';
import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {AttemptJob} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../../../../test/rig/folder.ts';
import {anAttempt} from '../../../../test/rig/job.ts';
import {RunnerSnapshot} from '../../src/shell/runner-snapshot.ts';
import {Listening} from './listening.ts';

/** As it is shipped. */
const path = fileURLToPath(new URL('../../dist/runner.cjs', import.meta.url));

function snapshotIn(folder: string, env: Record<string, string> = {}): RunnerSnapshot {
  return new RunnerSnapshot(path, folder, {PATH: process.env.PATH, ...env});
}

/** What the runner after so many others is started with, once everything is settled. */
async function optionsAfter(snapshot: RunnerSnapshot, starts: number): Promise<readonly string[]> {
  for (let start = 0; start < starts; start++) {
    snapshot.nodeOptions();
    await snapshot.settled();
  }
  return snapshot.nodeOptions();
}

/** How it started, and the ids that it gave to its agent. */
async function attempt(
  folder: string,
  nodeOptions: readonly string[],
  job: Partial<AttemptJob> = {},
) {
  await using puppet = await AgentPuppet.listen();
  const codex = {command: `echo "$SYMPHONY_STEP_ID" >> ../../steps; ${puppet.command}`};
  const given = anAttempt(folder, {...job, codex});
  await using listening = new Listening(given, {path, nodeOptions}, async ({id}) => ({
    ...{answer: 'issue', id, value: {issue: given.issue, go_on: false}},
  }));
  const ended = listening.runner.exited.then(({failure}) => assert.fail(failure?.message));
  const turn = await Promise.race([puppet.nextTurn(), ended]);
  const command = await readFile(`/proc/${listening.runner.identity?.pid}/cmdline`, 'utf8');
  await turn.completes();
  const {how, result, failure} = await listening.runner.exited;
  assert.equal(result?.outcome, 'succeeded', failure?.message);
  assert.equal(how, 'exit code 0');
  return {command, text: turn.input};
}

test('the first runners start as ever; later ones from a snapshot, which does the whole work', async () => {
  await using folder = await aFolder();
  const snapshot = snapshotIn(join(folder.path, 'snapshot'));
  assert.deepEqual(await optionsAfter(snapshot, 3), []);
  const options = await optionsAfter(snapshot, 1);
  assert.equal(options[0], '--snapshot-blob');
  const {command} = await attempt(folder.path, options);
  assert.match(command, /--snapshot-blob/);
  // The stage of the rehearsal is gone, and nobody else can read what is kept.
  assert.deepEqual(await readdir(join(folder.path, 'snapshot')), [`runner-${process.pid}`]);
  assert.equal((await stat(join(folder.path, 'snapshot'))).mode & 0o777, 0o700);
  // No id of one process is that of another.
  await attempt(folder.path, options);
  const steps = (await readFile(join(folder.path, 'steps'), 'utf8')).trim().split('\n');
  assert.equal(new Set(steps).size, 2);

  // A prompt in Liquid needs code that is not in it.
  const prompt = {template: 'Do {{ issue.title | upcase }}', engine: 'liquid'} as const;
  assert.match((await attempt(folder.path, options, {prompt})).text, /^Do [A-Z ]+$/m);

  // Another life trusts only what it made itself.
  await writeFile(join(folder.path, `snapshot/runner-${process.pid}`), 'of another life');
  assert.deepEqual(await optionsAfter(snapshotIn(join(folder.path, 'snapshot')), 5), options);
  await attempt(folder.path, options);

  // After a runner that never began, the others do without.
  snapshot.giveUp();
  assert.deepEqual(await optionsAfter(snapshot, 5), []);
});

test('where none can be made, runners start as ever', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'file'), '');
  assert.deepEqual(await optionsAfter(snapshotIn(join(folder.path, 'file/in-a-file')), 6), []);
  await mkdir(join(folder.path, 'empty'));
  const refused = {NODE_OPTIONS: '--no-such-option'};
  assert.deepEqual(await optionsAfter(snapshotIn(join(folder.path, 'empty'), refused), 6), []);
});

test('a runner that ends before its first word says so to whoever chose how to start it', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'blob'), 'no snapshot');
  let stillborn = 0;
  const nodeOptions = ['--snapshot-blob', join(folder.path, 'blob')];
  const onStillborn = () => stillborn++;
  await using listening = new Listening(anAttempt(folder.path), {path, nodeOptions, onStillborn});
  const {failure} = await listening.runner.exited;
  assert.equal(failure?.code, 'runner_crashed');
  assert.equal(stillborn, 1);
});
