import assert from 'node:assert/strict';
import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {build} from 'esbuild';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import type {openListeners} from '../../src/http/index.ts';
import type {Metrics} from '../../src/metrics/index.ts';
import {Served} from './served.ts';

// What is shipped is a bundle, in which libraries of the CommonJS kind look different.

test('the listeners open and the metrics are read from a bundle, with no library beside it', async () => {
  await using folder = await aFolder();
  const source = fileURLToPath(new URL('../../src', import.meta.url));
  const entry = join(folder.path, 'entry.ts');
  const names = ['http', 'metrics'].map((name) => JSON.stringify(join(source, name, 'index.ts')));
  await writeFile(
    entry,
    `export {openListeners} from ${names[0]}; export {Metrics} from ${names[1]};`,
  );
  const banner =
    "import {createRequire as __createRequire} from 'node:module'; const require = __createRequire(import.meta.url);";
  await build({
    ...{entryPoints: [entry], outdir: join(folder.path, 'dist'), outExtension: {'.js': '.mjs'}},
    ...{bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20'},
    ...{external: ['@photostructure/sqlite'], banner: {js: banner}, logLevel: 'silent'},
  });
  // The store's binding is not bundled.
  const binding = fileURLToPath(
    new URL('../../../../node_modules/@photostructure', import.meta.url),
  );
  await mkdir(join(folder.path, 'node_modules'));
  await symlink(binding, join(folder.path, 'node_modules/@photostructure'));
  const shipped = (await import(pathToFileURL(join(folder.path, 'dist/entry.mjs')).href)) as {
    openListeners: typeof openListeners;
    Metrics: typeof Metrics;
  };

  await using served = await Served.start();
  using metrics = new shipped.Metrics();
  await using listeners = await shipped.openListeners({
    ...{api: served.supervisor.api, sessions: served.supervisor.sessions},
    ...{stateDir: folder.path, metrics, log: () => {}},
    fixed: {host: '127.0.0.1', port: 0, allowedHosts: [], publicRead: false},
    webhook: async () => ({is: 'unknown'}),
    screenWebhook: () => null,
    dashboardDir: folder.path,
  });
  const token = await readFile(join(folder.path, 'control-token'), 'utf8');
  const headers = {authorization: `Bearer ${token.trim()}`};
  for (const path of ['/api/v1/state', '/metrics', '/api/v1/openapi.json']) {
    assert.equal((await fetch(`${listeners.url}${path}`, {headers})).status, 200, path);
  }
});
