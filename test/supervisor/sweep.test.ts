import assert from 'node:assert/strict';
import {mkdir, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aProject, SupervisorRig, writeIssue} from '../rig/supervisor.ts';

test('at the start, workspaces of issues that are over are removed; what nobody knows is not touched', async () => {
  const hooks = {before_remove: 'echo "$SYMPHONY_ISSUE_IDENTIFIER" >> ../../removed'};
  await using folder = await aProject('false', [], {hooks});
  await writeIssue(folder.path, 'T-1', 'Done');
  await writeIssue(folder.path, 'T-2', 'Review');
  const root = join(folder.path, 'workspaces');
  for (const name of ['T-1', 'T-2', 'my-own-notes'])
    await mkdir(join(root, name), {recursive: true});
  await using supervisor = new SupervisorRig(folder.path);
  await supervisor.logged('claim.released', 'p/T-1');
  const left = (await readdir(root)).filter((name) => !name.startsWith('.'));
  assert.deepEqual(left.toSorted(), ['T-2', 'my-own-notes']);
  assert.equal(await readFile(join(folder.path, 'removed'), 'utf8'), 'T-1\n');
});
