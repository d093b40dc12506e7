import assert from 'node:assert/strict';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

/** Compiles where one can wait for it; Node 20 has no switch for just that. */
const AT_ONCE = process.version.startsWith('v20.') ? '--single-threaded' : '--wasm-sync-tier-up';

test('the tracker thread does not optimize its parser for the first answers', async () => {
  await using folder = await aFolder();
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end('{"data": null}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const tracker = {kind: 'linear', endpoint, api_key: '$KEY', project_slug: 'p'};
  const workflow = `---\n${JSON.stringify({tracker})}\n---\nDo it.\n`;
  await writeFile(join(folder.path, 'WORKFLOW.md'), workflow);
  const {stdout} = await supervisorCommand(['--dry-run'], {
    cwd: folder.path,
    node: [AT_ONCE, '--trace-wasm-compilation-times'],
    env: {KEY: 'a key'},
  });
  server.close();
  assert.ok(asked > 0);
  // It is one large function; what loads modules has small ones.
  assert.match(stdout, /using Liftoff.* bodysize \d{5}/);
  assert.doesNotMatch(stdout, /using TurboFan.* bodysize \d{5}/);
});
