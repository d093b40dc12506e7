import assert from 'node:assert/strict';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {chmod, mkdir, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {connect, createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {Health} from '../../src/http/api/shapes.ts';
import {CannotListen, openListeners, PortBusy, readSupervisorFile} from '../../src/http/index.ts';
import {writeForOwner} from '../../src/http/owner-file.ts';
import {rawRequest} from './raw-request.ts';
import {Served} from './served.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('the control listener is found by a file that is gone in the end', async () => {
  await using served = await Served.start({listeners: {fixed: null}});
  assert.equal(served.listeners.url, null);
  const path = join(served.stateDir, 'supervisor.json');
  assert.equal(await modeOf(path), '600');
  const found = await readSupervisorFile(served.stateDir);
  assert.ok(found !== null);
  assert.equal(found.pid, process.pid);
  assert.equal(found.started_at, served.supervisor.api.snapshot.supervisor.started_at);
  assert.equal(found.dashboard_url, null);
  const token = (await readFile(found.token_file, 'utf8')).trim();
  assert.equal(await modeOf(found.token_file), '600');

  const authorization = `Bearer ${token}`;
  const socket = join(served.stateDir, 'control.sock');
  assert.equal(found.url, `unix://${socket}`);
  assert.equal(await modeOf(socket), '600');
  const status = async (route: string, options = {}) =>
    (await rawRequest(found.url, route, options)).status;
  assert.equal(await status('/api/v1/state', {headers: {authorization}}), 200);
  for (const route of ['/api/v1/state', '/metrics', '/api/v1/openapi.json', '/nope', '/']) {
    assert.equal(await status(route), 401, route);
  }
  assert.equal(await status('/api/v1/refresh', {method: 'POST'}), 401);
  for (const route of ['/livez', '/readyz']) assert.equal(await status(route), 200);
  const order = await rawRequest(found.url, '/api/v1/pause', {
    ...{method: 'POST', headers: {authorization, 'x-symphony-by': 'cli ada'}},
  });
  assert.equal(JSON.parse(order.body).by, 'control token (cli ada), control socket');
  await served.stop();
  assert.equal(existsSync(socket), false);
  assert.equal(await readSupervisorFile(served.stateDir), null);
});

test('the tokens stay over restarts, unless another user could have read them', async () => {
  await using served = await Served.start();
  const {api, sessions} = served.supervisor;
  const first = await served.token();
  const reopen = async () => {
    const options = {api, sessions, stateDir: served.stateDir, fixed: null, log: () => {}};
    const webhook = async () => ({is: 'unknown'}) as const;
    await using _listeners = await openListeners({
      ...{...options, webhook, screenWebhook: () => null, dashboardDir: served.folder},
    });
    return served.token();
  };
  assert.equal(await reopen(), first);
  const path = join(served.stateDir, 'control-token');
  await chmod(path, 0o644);
  const second = await reopen();
  assert.notEqual(second, first);
  assert.equal(await modeOf(path), '600');
  await writeFile(path, 'short\n');
  assert.notEqual(await reopen(), 'short');
});

test('a busy port is told with host, port and what to do, and nothing stays open', async () => {
  await using served = await Served.start({listeners: {fixed: null}});
  await served.listeners[Symbol.asyncDispose]();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const open = (host: string) =>
    openListeners({
      ...{api: served.supervisor.api, sessions: served.supervisor.sessions},
      ...{stateDir: served.stateDir, log: () => {}},
      fixed: {host, port, allowedHosts: [], publicRead: false},
      webhook: async () => ({is: 'unknown'}),
      screenWebhook: () => null,
      dashboardDir: served.folder,
    });
  await assert.rejects(open('127.0.0.1'), (error) => {
    assert.ok(error instanceof PortBusy);
    assert.deepEqual([error.host, error.port], ['127.0.0.1', port]);
    assert.match(error.message, /--port/);
    return true;
  });
  await assert.rejects(open('192.0.2.1'), CannotListen);
  assert.equal(await readSupervisorFile(served.stateDir), null);
  await new Promise((resolve) => other.close(resolve));
});

test('a listener off loopback asks for the token, but for health and for the pages', async () => {
  const fixed = {host: '0.0.0.0', port: 0, allowedHosts: ['localhost'], publicRead: false};
  await using served = await Served.start({listeners: {fixed}});
  const url = served.url.replace('0.0.0.0', '127.0.0.1');
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await rawRequest(url, path, {headers})).status;
  for (const path of ['/livez', '/readyz', '/', '/app.js']) assert.equal(await status(path), 200);
  const authorization = `Bearer ${await served.token()}`;
  for (const path of ['/api/v1/state', '/api/v1/events', '/metrics', '/api/v1/nope']) {
    assert.equal(await status(path), 401, path);
  }
  assert.equal(await status('/api/v1/state', {authorization}), 200);
  assert.equal(await status('/livez', {host: 'evil.example'}), 403);
});

test('the pages come with their types, are asked about again, and may run nothing foreign', async () => {
  await using served = await Served.start();
  const page = await fetch(`${served.url}/`);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(page.headers.get('referrer-policy'), 'same-origin');
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.split('; ').includes(rule), rule);
  }
  assert.doesNotMatch(policy, /unsafe|\*/);
  const script = await fetch(`${served.url}/app.js?v=1`);
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  const etag = script.headers.get('etag') ?? '';
  assert.equal(script.headers.get('cache-control'), 'no-cache');
  const headers = {'if-none-match': etag};
  assert.equal((await fetch(`${served.url}/app.js`, {headers})).status, 304);
  for (const path of ['/../WORKFLOW.md', '/%2e%2e/WORKFLOW.md', '/nope.js', '//app.js']) {
    assert.equal((await rawRequest(served.url, path)).status, 404, path);
  }
});

test('without pages the first one says what to do', async () => {
  await using served = await Served.start();
  await rm(join(served.folder, 'dashboard'), {recursive: true});
  const answer = await fetch(`${served.url}/`);
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /npm run build/);
});

test('what keeps work from being done is told by readiness', async () => {
  await using served = await Served.start({
    listeners: {fixed: {host: 'localhost', port: 0, allowedHosts: [], publicRead: false}},
  });
  await writeFile(join(served.folder, 'WORKFLOW.md'), '---\n[]\n---\n');
  await served.until(({projects}) => projects[0]?.problem !== null);
  const answer = await served.ask('/readyz');
  assert.equal(answer.status, 503);
  const {status, codes, reasons} = Health.parse(await answer.json());
  assert.deepEqual([status, codes], ['unavailable', ['workflow_invalid']]);
  assert.match(reasons[0]?.message ?? '', /WORKFLOW\.md/);
  const stranger = await fetch(`${served.url}/readyz`);
  assert.equal(stranger.status, 503);
  assert.deepEqual(Health.parse(await stranger.json()), {status, codes, reasons: []});
});

test('a file that cannot be written leaves nothing behind, and says where', async () => {
  await using folder = await aFolder();
  await mkdir(join(folder.path, 'taken'));
  const told = /taken cannot be written in .*: (EISDIR|ENOTEMPTY|EEXIST)/;
  await assert.rejects(writeForOwner(join(folder.path, 'taken'), 'secret'), told);
  assert.deepEqual(await readdir(folder.path), ['taken']);
});

test('a connection that says nothing is closed, long before the default of Node', async () => {
  await using served = await Served.start();
  const silent = connect(Number(new URL(served.url).port), '127.0.0.1');
  // The limit is 10 s, and looked at every 2 s; Node's own interval would make it 30 s or more.
  await once(silent.resume(), 'close', {signal: AbortSignal.timeout(25_000)});
});
