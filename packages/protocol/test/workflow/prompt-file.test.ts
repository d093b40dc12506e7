import assert from 'node:assert/strict';
import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {readWorkflow} from '../../src/workflow/index.ts';
import {context, errors, workflowIn} from './fixture.ts';

/** A folder with a workflow whose role `docs` has this file as its prompt. */
async function aFile(prompt: string) {
  const top = await mkdtemp(join(tmpdir(), 'prompt-file-'));
  const folder = join(top, 'project');
  await mkdir(join(folder, 'prompts'), {recursive: true});
  const path = join(folder, 'WORKFLOW.md');
  const role = `  docs:\n    when: {labels: [docs]}\n    prompt: ${JSON.stringify(prompt)}`;
  await writeFile(path, `---\ntracker: {kind: folder}\nroles:\n${role}\n---\nOwn.\n`);
  return {
    ...{top, folder},
    read: () => readWorkflow(path, context),
    [Symbol.asyncDispose]: () => rm(top, {recursive: true, force: true}),
  };
}

test('the prompt of a role is a file beside the workflow, read as it is', async () => {
  await using scene = await aFile('prompts/docs.md');
  await writeFile(join(scene.folder, 'prompts/docs.md'), '\uFEFF\r\nWrite {{issue.title}}.\r\n');
  const reading = await scene.read();
  const {roles, prompt} = workflowIn(reading);
  assert.equal(prompt.template, 'Own.');
  assert.deepEqual(roles?.[0]?.prompt, {
    template: '\nWrite {{issue.title}}.\n',
    engine: null,
    file: 'prompts/docs.md',
  });
  assert.deepEqual(reading.files, [join(scene.folder, 'prompts/docs.md')]);
});

test('a prompt that cannot be read is an error at its key, and is watched all the same', async () => {
  await using scene = await aFile('prompts/docs.md');
  const file = join(scene.folder, 'prompts/docs.md');
  const fault = async () => {
    const reading = await scene.read();
    assert.deepEqual(reading.files, [file]);
    const [found, ...more] = errors(reading);
    assert.deepEqual(more, []);
    return found?.replace('6:5: roles.docs.prompt is "prompts/docs.md", which ', '');
  };
  assert.equal(await fault(), 'does not exist');
  await writeFile(file, ' \n');
  assert.equal(await fault(), 'is empty; write the prompt into it');
  await writeFile(file, Buffer.from([0x57, 0xff]));
  assert.equal(await fault(), 'is not a text in UTF-8');
  await writeFile(file, 'x'.repeat(256 * 1024 + 1));
  assert.match((await fault()) ?? '', /^cannot be read: .* is larger than 262144 bytes$/);
  await rm(file);
  await mkdir(file);
  assert.match((await fault()) ?? '', /^cannot be read: .* is not a regular file$/);
  await rm(file, {recursive: true});
  await writeFile(file, 'x'.repeat(256 * 1024));
  assert.equal(await fault(), undefined);
});

for (const outside of [
  '../secret',
  '../nothing',
  '/etc/hostname',
  'prompts/../../secret',
  '.',
  '..',
]) {
  test(`a prompt outside the folder of its workflow is refused: ${outside}`, async () => {
    await using scene = await aFile(outside);
    await writeFile(join(scene.top, 'secret'), 'a secret');
    assert.deepEqual(errors(await scene.read()), [
      `6:5: roles.docs.prompt is "${outside}", which is outside the workflow file's folder; name a file in it or below it`,
    ]);
  });
}

test('a link is followed within the folder, and not out of it', async () => {
  await using scene = await aFile('prompts/docs.md');
  await writeFile(join(scene.top, 'secret'), 'a secret');
  await symlink('../../secret', join(scene.folder, 'prompts/docs.md'));
  assert.match(errors(await scene.read())[0] ?? '', /is outside the workflow file's folder/);
  await rm(join(scene.folder, 'prompts'), {recursive: true});
  await symlink('..', join(scene.folder, 'prompts'));
  assert.match(errors(await scene.read())[0] ?? '', /does not exist/);
  await writeFile(join(scene.top, 'docs.md'), 'a secret');
  assert.match(errors(await scene.read())[0] ?? '', /is outside the workflow file's folder/);
  await rm(join(scene.folder, 'prompts'));
  await mkdir(join(scene.folder, 'prompts'));
  await writeFile(join(scene.folder, 'common.md'), 'Common.');
  await symlink('../common.md', join(scene.folder, 'prompts/docs.md'));
  assert.equal(workflowIn(await scene.read()).roles?.[0]?.prompt.template, 'Common.');
});
