import assert from 'node:assert/strict';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {aProject} from '../rig/supervisor.ts';
import {startSupervisorCommand, supervisorCommand} from '../rig/supervisor-command.ts';
import {until} from '../rig/survivors.ts';

const TOKEN = 'ghp_notarealtoken0123456789';

/** A tracker that answers everything with this status. */
async function aTracker(status: number) {
  const server = createServer((_request, response) => {
    response.writeHead(status, {'content-type': 'application/json'});
    response.end('{"message": "Bad credentials"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function github(url: string) {
  return {tracker: {kind: 'github', provider: {repo: 'owner/name', api_url: url}}};
}

test('a tracker that refuses our key ends it: exit 4, which key to check, and not the key', async () => {
  using tracker = await aTracker(401);
  await using folder = await aProject('false', [], github(tracker.url));
  const env = {GITHUB_TOKEN: TOKEN};
  for (const args of [[], ['--dry-run'], ['--once']]) {
    const {code, stdout, stderr} = await supervisorCommand(args, {cwd: folder.path, env});
    assert.equal(code, 4, `${args}: ${stderr}`);
    assert.match(stderr, /tracker_auth/);
    assert.doesNotMatch(stdout + stderr, new RegExp(TOKEN));
  }
  const doctor = await supervisorCommand(['doctor'], {cwd: folder.path, env});
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /FAIL {2}tracker: github: tracker_auth/);
});

test('a tracker that is down does not end it', async () => {
  using tracker = await aTracker(503);
  await using folder = await aProject('false', [], github(tracker.url));
  await writeFile(join(folder.path, 'key'), TOKEN);
  const child = startSupervisorCommand([], {cwd: folder.path, env: {GITHUB_TOKEN: TOKEN}});
  using _end = {[Symbol.dispose]: () => void child.kill('SIGKILL')};
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const told = await until(async () => (said.includes('tracker.failed') ? true : null));
  assert.ok(told, 'the failure was not told');
  assert.equal(child.exitCode, null);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
