import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {aFolder} from '../rig/fixtures/folder.ts';

const PAGE = fileURLToPath(new URL('../../docs/operating.md', import.meta.url));
const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;

test('the documented unit is understood by systemd, word by word', {
  skip: isThere ? false : 'there is no systemd-analyze',
}, async () => {
  await using folder = await aFolder();
  const [, unit = ''] = /```ini\n([\s\S]*?)```/.exec(await readFile(PAGE, 'utf8')) ?? [];
  assert.match(unit, /^OOMPolicy=continue$/m);
  // The program need not be where the page says.
  const path = join(folder.path, 'symphony.service');
  await writeFile(path, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
  const {stderr} = spawnSync('systemd-analyze', ['verify', '--man=no', path], {encoding: 'utf8'});
  const about = stderr.split('\n').filter((line) => line.includes('symphony.service'));
  assert.deepEqual(about, []);
});
