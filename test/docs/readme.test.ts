import assert from 'node:assert/strict';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aMachine, patient} from './reader/machine.ts';
import {readPage} from './reader/markdown.ts';

// The project of the README as it stands there: its workflow file, its issue, its command.

const [workflow, issue, command] = readPage('README.md').blocks.filter(
  ({under}) => under === 'One issue, by hand',
);

test('one issue by hand, as the README has it', async () => {
  assert.deepEqual([workflow?.kind, issue?.kind], ['markdown', 'markdown']);
  assert.equal(command?.text, 'npx symphony-runner T-1\n');
  await using team = await aFolder();
  // The address of the README leads here.
  await using machine = await aMachine({
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${team.path}/.insteadOf`,
    GIT_CONFIG_VALUE_0: 'git@example.com:team/',
  });
  await machine.sh(`git init -q --bare -b main '${team.path}/repository.git'`);
  await mkdir(join(machine.path, 'issues'));
  await writeFile(join(machine.path, 'WORKFLOW.md'), patient(workflow?.text ?? ''));
  await writeFile(join(machine.path, 'issues/T-1.md'), issue?.text ?? '');

  // Here the command is in the PATH, and not in the folder where `npx` looks first.
  await machine.sh(command?.text.replace('npx ', '') ?? '');
  assert.match(await readFile(join(machine.path, 'issues/T-1.md'), 'utf8'), /^state: Done$/m);
  const log = await machine.sh('git -C workspaces/T-1 log --format=%s');
  assert.equal(log, 'Say hello\n');
});
