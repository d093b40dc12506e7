import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {RunJob} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../../../../test/rig/folder.ts';
import {aCleaning, anAttempt} from '../../../../test/rig/job.ts';
import {realOutside} from '../../src/shell/outside.ts';
import {Listening} from './listening.ts';

/** As it is shipped. */
const path = fileURLToPath(new URL('../../dist/runner.cjs', import.meta.url));

async function attempt(folder: string, compiledDir: string): Promise<void> {
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder, {codex: {command: puppet.command}});
  await using listening = new Listening(job, {path, compiledDir}, async ({id}) => ({
    ...{answer: 'issue', id, value: {issue: job.issue, go_on: false}},
  }));
  await (await puppet.nextTurn()).completes();
  const {how, result, failure} = await listening.runner.exited;
  assert.equal(result?.outcome, 'succeeded', failure?.message);
  assert.equal(how, 'exit code 0');
}

/** The one file that is kept: when it was written, and what it holds. */
async function kept(compiledDir: string) {
  const [name = '', ...others] = await readdir(compiledDir);
  assert.deepEqual(others, []);
  const file = join(compiledDir, name);
  return {file, mtimeMs: (await stat(file)).mtimeMs, bytes: await readFile(file)};
}

test('an attempt leaves its compiled code to the next, which takes it as it is', async () => {
  await using folder = await aFolder();
  const compiledDir = join(folder.path, 'compiled');
  await attempt(folder.path, compiledDir);
  const first = await kept(compiledDir);
  await attempt(folder.path, compiledDir);
  // Whoever cannot use what it finds writes anew.
  assert.deepEqual(await kept(compiledDir), first);
});

test('code that cannot be used costs nobody its run, and is replaced', async () => {
  await using folder = await aFolder();
  const compiledDir = join(folder.path, 'compiled');
  await attempt(folder.path, compiledDir);
  const {file, bytes} = await kept(compiledDir);
  for (const damaged of [Buffer.from('nonsense'), Buffer.alloc(0), bytes.subarray(0, 1000)]) {
    await writeFile(file, damaged);
    await attempt(folder.path, compiledDir);
    assert.ok((await kept(compiledDir)).bytes.length > 100_000);
  }
});

test('a folder that cannot be written costs nobody its run either', async () => {
  await using folder = await aFolder();
  await writeFile(join(folder.path, 'file'), '');
  await attempt(folder.path, join(folder.path, 'file'));
});

test('a small job leaves nothing: it has used too little of the code', async () => {
  await using folder = await aFolder();
  const compiledDir = join(folder.path, 'compiled');
  const job: RunJob = aCleaning(folder.path);
  await using cleaning = new Listening(job, {path, compiledDir});
  assert.equal((await cleaning.runner.exited).how, 'exit code 0');
  assert.equal(existsSync(compiledDir), false);
});

test('every life of a supervisor begins with nothing compiled', async () => {
  await using folder = await aFolder();
  const stateDir = folder.path;
  await mkdir(join(stateDir, 'compiled'));
  await writeFile(join(stateDir, 'compiled/runner-1-1'), 'of another life');
  const context = {env: {}, profiles: {}, tmpDir: stateDir, homeDir: stateDir};
  const paths = {runnerPath: path, trackerThreadPath: ''};
  realOutside({stateDir, context, environment: {}, ...paths}).newLife();
  assert.equal(existsSync(join(stateDir, 'compiled')), false);
});
