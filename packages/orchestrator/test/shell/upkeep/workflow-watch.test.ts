import assert from 'node:assert/strict';
import {EventEmitter, once} from 'node:events';
import {mkdir, rename, rm, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import type {WorkflowReading} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '@symphony-supervisor/tracker';
import {aFolder} from '../../../../../test/rig/fixtures/folder.ts';
import {WorkflowWatch} from '../../../src/shell/upkeep/workflow-watch.ts';

const GOOD = '---\ntracker: {kind: memory}\n---\n';
const BAD = '---\ntracker: {kind: nothing}\n---\n';

/** A watch on a workflow file with this text, which it has told of already. */
async function aWatch(text: string) {
  const folder = await aFolder();
  const path = join(folder.path, 'WORKFLOW.md');
  await writeFile(path, text);
  const told: WorkflowReading[] = [];
  const bell = new EventEmitter();
  const context = {env: {}, profiles: PROFILES, tmpDir: tmpdir(), homeDir: folder.path};
  const watch = new WorkflowWatch(path, context, (reading) => {
    told.push(reading);
    bell.emit('told');
  });
  await watch.check();
  return {
    ...{path, folder: folder.path, told, watch},
    nextTold: () => once(bell, 'told'),
    [Symbol.asyncDispose]: async () => {
      await watch[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const prompts = (told: readonly WorkflowReading[]) =>
  told.map((reading) => (reading.ok ? reading.workflow.prompt.template.trim() : 'bad'));

test('the first check tells what is there, good or bad', async () => {
  await using good = await aWatch(`${GOOD}One.`);
  assert.deepEqual(prompts(good.told), ['One.']);
  await using bad = await aWatch(BAD);
  assert.deepEqual(prompts(bad.told), ['bad']);
});

test('a check tells of a change once, and of an untouched or only touched file never', async () => {
  await using scene = await aWatch(`${GOOD}One.`);
  await scene.watch.check();
  await utimes(scene.path, new Date(0), new Date(0));
  await scene.watch.check();
  assert.deepEqual(prompts(scene.told), ['One.']);
  await writeFile(scene.path, `${GOOD}Two.`);
  await Promise.all([scene.watch.check(), scene.watch.check()]);
  assert.deepEqual(prompts(scene.told), ['One.', 'Two.']);
});

test('a file that waits for its secret is read again, though it does not change', async () => {
  const text = '---\ntracker: {kind: linear, api_key_file: key, project_slug: p}\n---\nOne.';
  await using scene = await aWatch(text);
  assert.deepEqual(prompts(scene.told), ['bad']);
  await writeFile(join(scene.folder, 'key'), 'lin_api_1');
  await scene.watch.check();
  await scene.watch.check();
  assert.deepEqual(prompts(scene.told), ['bad', 'One.']);
});

test('a bad change is told once per change', async () => {
  await using scene = await aWatch(`${GOOD}One.`);
  for (const text of [BAD, BAD, `${BAD}Still.`, `${GOOD}One.`]) {
    await writeFile(scene.path, text);
    await scene.watch.check();
    await scene.watch.check();
  }
  assert.deepEqual(prompts(scene.told), ['One.', 'bad', 'bad', 'One.']);
});

test('a file that is gone, or no file any more, is a bad change', async () => {
  await using scene = await aWatch(`${GOOD}One.`);
  await rm(scene.path);
  await scene.watch.check();
  await mkdir(scene.path);
  await scene.watch.check();
  await scene.watch.check();
  assert.deepEqual(prompts(scene.told), ['One.', 'bad', 'bad']);
});

test('a change is told without being asked for', async () => {
  await using scene = await aWatch(`${GOOD}One.`);
  const told = scene.nextTold();
  await writeFile(scene.path, `${GOOD}Two.`);
  await told;
  assert.deepEqual(prompts(scene.told), ['One.', 'Two.']);
});

test('so is one of an editor that puts a new file in the place of the old', async () => {
  await using scene = await aWatch(`${GOOD}One.`);
  for (const text of ['Two.', 'Three.']) {
    const told = scene.nextTold();
    const draft = join(scene.folder, '.WORKFLOW.md.swp');
    await writeFile(draft, GOOD + text);
    await rename(draft, scene.path);
    await told;
  }
  assert.deepEqual(prompts(scene.told), ['One.', 'Two.', 'Three.']);
});

test('where there is no folder to watch, checks find the file when it comes', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'later', 'WORKFLOW.md');
  const told: WorkflowReading[] = [];
  const context = {env: {}, profiles: PROFILES, tmpDir: tmpdir(), homeDir: folder.path};
  await using watch = new WorkflowWatch(path, context, (reading) => told.push(reading));
  await watch.check();
  await mkdir(join(folder.path, 'later'));
  await writeFile(path, `${GOOD}One.`);
  await watch.check();
  assert.deepEqual(prompts(told), ['bad', 'One.']);
});

test('after disposal nothing is told any more', async () => {
  await using scene = await aWatch(`${GOOD}One.`);
  await writeFile(scene.path, `${GOOD}Two.`);
  const check = scene.watch.check();
  await scene.watch[Symbol.asyncDispose]();
  await check;
  await scene.watch.check();
  assert.deepEqual(prompts(scene.told), ['One.']);
});

const ROLES = (file: string) =>
  `---\ntracker: {kind: memory}\nroles: {docs: {when: {labels: [docs]}, prompt: ${file}}}\n---\nOwn.`;

const ofRole = (reading: WorkflowReading | undefined) =>
  reading?.ok === true ? reading.workflow.roles?.[0]?.prompt.template : 'bad';

test('the prompt of a role is watched with its workflow, from when it is named until it is not', async () => {
  await using scene = await aWatch(`${GOOD}One.`);
  const at = (name: string) => join(scene.folder, name);
  await mkdir(at('prompts'));
  await writeFile(at('prompts/docs.md'), 'First.');
  const named = scene.nextTold();
  await writeFile(scene.path, ROLES('prompts/docs.md'));
  await named;
  assert.equal(ofRole(scene.told.at(-1)), 'First.');
  const changed = scene.nextTold();
  await writeFile(at('prompts/docs.md'), 'Second.');
  await changed;
  assert.equal(ofRole(scene.told.at(-1)), 'Second.');
  const gone = scene.nextTold();
  await rm(at('prompts'), {recursive: true});
  await gone;
  assert.equal(ofRole(scene.told.at(-1)), 'bad');
  await mkdir(at('prompts'));
  await writeFile(at('prompts/docs.md'), 'Third.');
  await scene.watch.check();
  assert.equal(ofRole(scene.told.at(-1)), 'Third.');
  const left = scene.nextTold();
  await writeFile(scene.path, `${GOOD}Two.`);
  await left;
  const told = scene.told.length;
  await writeFile(at('prompts/docs.md'), 'Fourth.');
  await scene.watch.check();
  assert.equal(scene.told.length, told, 'it is no part of the workflow any more');
});

test('a prompt that a changed workflow names is read as it is by then', async () => {
  await using scene = await aWatch(ROLES('one.md'));
  assert.deepEqual(scene.told.map(ofRole), ['bad']);
  await writeFile(join(scene.folder, 'one.md'), 'One.');
  await scene.watch.check();
  await writeFile(join(scene.folder, 'two.md'), 'Two.');
  await writeFile(scene.path, ROLES('two.md'));
  await scene.watch.check();
  assert.deepEqual(scene.told.map(ofRole), ['bad', 'One.', 'Two.']);
});
