import assert from 'node:assert/strict';
import {mkdir, readFile} from 'node:fs/promises';
import {connect} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import fc from 'fast-check';
import {ErrorBody, openListeners} from '../../packages/orchestrator/src/http/index.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aServedWorld} from '../simulation/served-world.ts';
import {OPTIONS} from './runs.ts';

const PATHS = [
  ...['/api/v1/state', '/api/v1/issues/WEB-1', '/api/v1/WEB-1', '/api/v1/WEB-1/stop', '/livez'],
  ...['/api/v1/refresh', '/api/v1/pause', '/api/v1/resume', '/api/v1/runs/life1-1/transcript'],
  ...['/webhooks/web', '/metrics', '/', '/../../etc/passwd', '/%2e%2e/%00', '/api/v1/%ff', '//'],
];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'BREW'];

const text = fc.string({unit: 'binary-ascii', maxLength: 40});
const body = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.constantFrom('{"message":"go on"}', '{"project":"web"}', '{', '{"message":'.repeat(2000)),
  fc.constantFrom('x'.repeat(70_000), '{"message":"\\u0000"}', '[]', '', 'null'),
  text,
);
const headers = fc.array(
  fc.oneof(
    fc.constantFrom('Host: evil.example', 'Origin: https://evil.example', 'Content-Length: -1'),
    fc.constantFrom('Transfer-Encoding: chunked', 'Content-Type: text/plain', 'Range: bytes=9-1'),
    fc.constantFrom('Authorization: Bearer ', 'X-Long: '.padEnd(20_000, 'x'), 'Last-Event-ID: -1'),
    text.map((value) => `X-Any: ${value.replaceAll(/[\r\n]/g, '')}`),
  ),
  {maxLength: 4},
);
const request = fc.record({
  method: fc.constantFrom(...METHODS),
  path: fc.oneof(
    fc.constantFrom(...PATHS),
    text.map((value) => `/api/v1/${encodeURI(value)}`),
  ),
  headers,
  body,
  isAllowed: fc.boolean(),
  garbage: fc.option(fc.string({unit: 'binary', maxLength: 200}), {freq: 8}),
});

test('whatever comes in by HTTP is answered, refused with a code, or hung up on', async () => {
  await using folder = await aFolder();
  await using world = await aServedWorld(folder.path);
  const dashboardDir = join(folder.path, 'dashboard');
  await mkdir(dashboardDir);
  const mistakes: string[] = [];
  await using listeners = await openListeners({
    api: world.api,
    sessions: world.sessions,
    stateDir: folder.path,
    fixed: {host: '127.0.0.1', port: 0, allowedHosts: [], publicRead: false},
    log: (level, fields) => {
      if (level === 'error') mistakes.push(JSON.stringify(fields));
    },
    webhook: async () => ({is: 'unknown'}),
    screenWebhook: () => null,
    dashboardDir,
  });
  const token = (await readFile(join(folder.path, 'control-token'), 'utf8')).trim();
  const {host, port} = new URL(listeners.url ?? assert.fail());
  await fc.assert(
    fc.asyncProperty(request, async ({method, path, headers: more, body: sent, ...rest}) => {
      const length = Buffer.byteLength(sent);
      const own = rest.isAllowed
        ? [`Host: ${host}`, `Authorization: Bearer ${token}`, 'Content-Type: application/json']
        : [];
      const lines = [`${method} ${path} HTTP/1.1`, ...own, ...more, `Content-Length: ${length}`];
      const whole = `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${sent}`;
      const answer = await exchange(Number(port), rest.garbage ?? whole);
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
      assert.ok(status < 500 || status === 503, `${status} to ${whole.slice(0, 300)}`);
      const json = /\r\n\r\n(\{"error".*\})$/s.exec(answer)?.[1];
      if (json !== undefined) ErrorBody.parse(JSON.parse(json));
      assert.deepEqual(mistakes, []);
    }),
    OPTIONS,
  );
  assert.equal((await fetch(`${listeners.url}/livez`)).status, 200);
});

/** All that comes back until the other side hangs up; a stream of events is cut off when it has begun. */
function exchange(port: number, sent: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const over = () => {
      socket.destroy();
      resolve(heard);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      heard += chunk;
      if (heard.includes('text/event-stream')) over();
    });
    socket.on('error', over);
    socket.on('close', over);
    socket.on('end', over);
    // Half-closed: whoever waits for more hears that there is none.
    socket.end(sent);
  });
}
