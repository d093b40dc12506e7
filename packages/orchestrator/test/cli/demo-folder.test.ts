import assert from 'node:assert/strict';
import {mkdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {makeDemoFolder} from '../../src/cli/demo/folder.ts';
import {ownCommand} from '../../src/cli/own-command.ts';
import {readWorkflows} from '../../src/cli/read-workflows.ts';

test('the workflow of the demo is YAML for people, and pushes nothing from a workspace', async () => {
  const folder = await makeDemoFolder(null);
  try {
    const text = await readFile(folder.workflow, 'utf8');
    assert.doesNotMatch(text, /^\{$|^ *"|git push/m);
    const {errors, warnings} = await readWorkflows([folder.workflow]);
    assert.deepEqual([...errors, ...warnings], []);
  } finally {
    await rm(folder.path, {recursive: true});
  }
});

test('a command is printed as a shell in another terminal finds it', async () => {
  await using folder = await aFolder();
  const bin = join(folder.path, 'bin');
  const hidden = join(folder.path, 'node_modules/.bin');
  const script = join(folder.path, 'main it.js');
  await writeFile(script, '');
  for (const each of [bin, hidden]) {
    await mkdir(each, {recursive: true});
    await symlink(script, join(each, 'symphony-supervisor'));
  }
  assert.equal(ownCommand(script, `/usr/bin:${bin}`, '/node'), 'symphony-supervisor');
  assert.equal(ownCommand(script, `${hidden}:/usr/bin`, '/node'), `/node '${script}'`);
});
