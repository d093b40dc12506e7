import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {VERSION} from '../src/version.ts';

test('the version that is shown is the one of the package', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  assert.equal(VERSION, JSON.parse(manifest).version);
});
