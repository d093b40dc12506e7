import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {build} from 'esbuild';
import {aFolder} from '../../test/rig/fixtures/folder.ts';
import {dynamicImportsOfCommonJs} from '../dynamic-imports.mjs';

test('a dynamic import of a CommonJS library is found, one through a file of ours is not', async () => {
  await using folder = await aFolder();
  await writeFiles(folder.path, {
    'node_modules/old/index.js': 'exports.parse = () => 1;',
    'node_modules/new/package.json': '{"type": "module"}',
    'node_modules/new/index.js': 'export const parse = () => 1;',
    'parse.js': "export {parse} from 'old';",
    'good.js': "await import('./parse.js'); await import('new'); await import('node:fs');",
    'bad.js': "const {parse} = await import('old'); parse();",
  });
  const found = async (entry: string): Promise<string[]> => {
    const {metafile} = await build({
      ...{absWorkingDir: folder.path, entryPoints: [entry], outdir: 'dist', write: false},
      ...{bundle: true, splitting: true, format: 'esm', platform: 'node', metafile: true},
    });
    return dynamicImportsOfCommonJs(metafile);
  };
  assert.deepEqual(await found('good.js'), []);
  assert.deepEqual(await found('bad.js'), ['bad.js → node_modules/old/index.js']);
});

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), {recursive: true});
    await writeFile(join(folder, name), text);
  }
}
