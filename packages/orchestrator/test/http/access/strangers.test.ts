import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {promisify} from 'node:util';
import {isRoot} from '../../../../../test/rig/mount.ts';
import {Metrics} from '../../../src/metrics/index.ts';
import {type RawAnswer, rawRequest} from '../raw-request.ts';
import {Served} from '../served.ts';

// Every route with every method and every header that might open it, by a caller without a credential.

const FREE = new Set(['/livez', '/readyz', '/metrics', '/', '/app.js', '/index.html']);
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

let served: Served;
let metrics: Metrics;
let paths: string[];

before(async () => {
  metrics = new Metrics();
  served = await Served.start({issues: ['SECRET-1'], metrics});
  await served.until(({running}) => running[0]?.phase === 'streaming_turn');
  const runId = served.supervisor.api.snapshot.running[0]?.run_id ?? '';
  const description = await (await served.ask('/api/v1/openapi.json')).json();
  const values: Record<string, string> = {identifier: 'SECRET-1', run_id: runId, project: 'p'};
  const {paths: known} = description as {paths: Record<string, unknown>};
  const routes = Object.keys(known).map((path) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name),
  );
  const odd = ['//api/v1/state', '/api/v1/state/', '/API/v1/state', '/api/v1/../v1/state', '/api'];
  const more = ['/api/v1/state?token=x', '/livez/../api/v1/state', '/app.js/../api/v1/state'];
  paths = [...routes, ...odd, ...more, '/', '/app.js', '/index.html'];
});

after(async () => {
  await served[Symbol.asyncDispose]();
  metrics[Symbol.dispose]();
});

function headerSets(url: string): Record<string, string>[] {
  const host = url.startsWith('unix:') ? 'localhost' : new URL(url).host;
  const cookieName = `symphony_${served.supervisor.sessions.instanceId()}`;
  return [
    {},
    {origin: url},
    {origin: url, referer: `${url}/`, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors'},
    {host: 'localhost', origin: 'http://localhost'},
    {host: 'evil.example'},
    {origin: 'null'},
    {authorization: 'Bearer '},
    {authorization: 'Bearer undefined'},
    {authorization: 'Basic c3ltcGhvbnk6'},
    {cookie: `${cookieName}=x`, 'x-symphony-page-key': 'x', origin: url},
    {cookie: `${cookieName}=`, 'x-symphony-page-key': ''},
    {'x-symphony-by': 'cli root'},
    {'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': host, forwarded: 'for=127.0.0.1'},
    {'x-http-method-override': 'GET', 'x-original-url': '/livez', 'x-rewrite-url': '/livez'},
    {'content-type': 'application/json', origin: url},
    {upgrade: 'websocket', connection: 'Upgrade'},
  ];
}

/** Nothing of the issue, of files or of projects may be in an answer; metrics have names of projects. */
function assertSaysNothing(answer: RawAnswer, what: string): void {
  assert.doesNotMatch(answer.body, /SECRET-1|WORKFLOW|issue_|workspace/, what);
}

test('without a credential nothing is ordered and nothing is read', async () => {
  const before = served.supervisor.api.actions(10);
  let asked = 0;
  for (const url of [served.url, served.listeners.controlUrl]) {
    for (const headers of headerSets(url)) {
      for (const path of paths) {
        for (const method of METHODS) {
          const body = method === 'POST' ? '{}' : '';
          const answer = await rawRequest(url, path, {method, headers, body});
          const what = `${method} ${url}${path} ${JSON.stringify(headers)}: ${answer.status}`;
          assertSaysNothing(answer, what);
          const isFree = (method === 'GET' || method === 'HEAD') && FREE.has(path);
          if (!isFree) assert.ok(answer.status >= 400, what);
          asked++;
        }
      }
    }
  }
  assert.ok(asked > 3000, `only ${asked}`);
  assert.deepEqual(served.supervisor.api.actions(10), before);
  assert.equal(served.supervisor.api.snapshot.running[0]?.issue_identifier, 'SECRET-1');
});

const asNobody = isRoot ? false : 'to become another user needs root';

test('another user of the machine can neither read the tokens nor order', {
  skip: asNobody,
}, async () => {
  const files = ['control-token', 'read-token', 'supervisor.json', 'symphony.db', 'lock.db'];
  const script = `
    const report = {read: [], answers: [], socket: null};
    for (const file of ${JSON.stringify(files.map((name) => join(served.stateDir, name)))}) {
      try { require('node:fs').readFileSync(file); report.read.push(file); } catch {}
    }
    (async () => {
      const url = ${JSON.stringify(served.url)};
      for (const [method, path] of [['GET', '/api/v1/state'], ['POST', '/api/v1/SECRET-1/stop'], ['POST', '/api/v1/refresh']]) {
        for (const headers of [{}, {origin: url}, {'x-symphony-by': 'cli root'}]) {
          const answer = await fetch(url + path, {method, headers});
          report.answers.push(answer.status);
        }
      }
      const path = ${JSON.stringify(served.listeners.controlUrl.replace('unix://', ''))};
      report.socket = await new Promise((resolve) => require('node:net').connect(path)
        .on('connect', () => resolve('connected')).on('error', ({code}) => resolve(code)));
      console.log(JSON.stringify(report));
      process.exit();
    })();`;
  const args = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '-e', script];
  const {stdout} = await promisify(execFile)('setpriv', args, {cwd: '/', env: {}});
  const report = JSON.parse(stdout);
  assert.deepEqual(report.read, []);
  assert.equal(report.socket, 'EACCES');
  assert.deepEqual(
    report.answers,
    Array.from({length: 9}, () => 401),
  );
  assert.deepEqual(served.supervisor.api.actions(10), []);
});

test('the uid in the record is that of the client, whoever runs the supervisor', {
  skip: asNobody,
}, async () => {
  const token = (await readFile(join(served.stateDir, 'control-token'), 'utf8')).trim();
  const script = `
    fetch(${JSON.stringify(`${served.url}/api/v1/refresh`)}, {
      method: 'POST', headers: {authorization: 'Bearer ' + process.env.TOKEN},
    }).then((answer) => console.log(answer.status));`;
  const args = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '-e', script];
  const env = {TOKEN: token};
  const {stdout} = await promisify(execFile)('setpriv', args, {cwd: '/', env});
  assert.equal(stdout.trim(), '202');
  assert.equal(served.supervisor.api.actions(1)[0]?.by, 'control token, 127.0.0.1 uid 65534');
});
