import assert from 'node:assert/strict';
import {mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {layOut} from '../../src/workspace/layout.ts';
import {litterSweep} from '../../src/workspace/litter.ts';

test('empty folders and files that were not there before are removed, and nothing else', async () => {
  await using folder = await aFolder();
  const layout = await layOut(folder.path, 'ABC-1');
  const put = async (path: string, text = '') => {
    await mkdir(join(layout.path, path, '..'), {recursive: true});
    await writeFile(join(layout.path, path), text);
  };
  await put('.was-there');
  const names = ['.was-there', '.box/in', '.box', '.empty', '.full', '.crate'];
  const sweep = await litterSweep(layout, names);
  for (const path of ['.empty', '.box/in', '.crate/kept', '.not-named']) await put(path);
  await put('.full', 'work');
  await sweep();
  assert.deepEqual((await readdir(layout.path)).toSorted(), [
    ...['.crate', '.full', '.not-named', '.was-there'],
  ]);
});
