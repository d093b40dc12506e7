import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {shortageIn} from '../../../../src/shell/host/local/free-space.ts';

test('room is looked for where a folder is, or will be', async () => {
  await using folder = await aFolder();
  assert.equal(await shortageIn([folder.path, join(folder.path, 'not/yet')]), null);
  // A file system without a byte to its name.
  assert.match(
    (await shortageIn([folder.path, '/proc/1']))?.message ?? '',
    /^only 0 MB are free in \/proc\/1/,
  );
});
