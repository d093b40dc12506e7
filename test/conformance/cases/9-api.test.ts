import assert from 'node:assert/strict';
import {stat} from 'node:fs/promises';
import {request} from 'node:http';
import {join} from 'node:path';
import {after} from 'node:test';
import {askControl} from '../../rig/control.ts';
import {shows} from '../case.ts';
import {Scene} from '../rig/scene.ts';
import {send} from '../rig/supervisor.ts';

const scene = await Scene.set({
  settings: {server: {port: 1, allowed_hosts: ['symphony.example']}},
});
after(() => scene[Symbol.asyncDispose]());
await scene.project.issue('T-1');
const supervisor = scene.start(['--port', '0']);
const turn = await scene.turn('T-1');
await turn.says('hello');
await supervisor.seen('hello', ({running}) => running[0]?.last_message === 'hello');
const pointer = await supervisor.pointer();
const fixed = new URL(pointer.dashboard_url ?? '');

/** With headers that `fetch` does not let one choose. */
function status(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, fixed), {method, headers}, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once('error', reject).end();
  });
}

shows(['9.api.state'], 'GET /api/v1/state has the shape that is promised', async () => {
  const state = await supervisor.state();
  const keys = (value: object) => new Set(Object.keys(value));
  const has = (value: object | undefined, names: string) => {
    assert.ok(value !== undefined);
    const there = keys(value);
    for (const name of names.split(' ')) assert.ok(there.has(name), name);
  };
  has(
    state,
    'generated_at counts running retrying held waiting codex_totals rate_limits polling projects last_error',
  );
  has(state.counts, 'running retrying held');
  has(
    state.running[0],
    'issue_id issue_identifier issue_url project state phase session_id run_id attempt turn_count last_event last_message started_at last_event_at workspace_path tokens',
  );
  has(
    state.running[0]?.tokens,
    'input_tokens cached_input_tokens output_tokens reasoning_output_tokens total_tokens',
  );
  has(state.codex_totals, 'input_tokens output_tokens total_tokens seconds_running');
  has(state.polling, 'checking interval_ms next_poll_in_ms');
});

shows(
  ['9.api.issue', '9.api.unknown-issue', '9.api.method', '9.api.route'],
  'one issue by two paths; what is unknown or wrong is refused in one shape',
  async () => {
    const short = await supervisor.ask<object>('GET', '/api/v1/T-1');
    const long = await supervisor.ask<object>('GET', '/api/v1/issues/T-1');
    assert.deepEqual(Object.keys(short.body), Object.keys(long.body));
    const names =
      'issue_id issue_identifier project status workspace attempts running retry held recent_events last_error logs runs';
    for (const name of names.split(' ')) assert.ok(name in short.body, name);

    const refusals = [
      await supervisor.ask('GET', '/api/v1/T-9'),
      await supervisor.ask('PUT', '/api/v1/state'),
      await supervisor.ask('GET', '/nowhere/at/all'),
    ];
    assert.deepEqual(
      refusals.map(({status: code}) => code),
      [404, 405, 404],
    );
    assert.match(JSON.stringify(refusals[0]?.body), /"issue_not_found"/);
    for (const {body} of refusals) {
      const {error} = body as {error: {code: string; message: string}};
      assert.deepEqual([typeof error.code, typeof error.message], ['string', 'string']);
    }
  },
);

shows(
  ['9.api.health', '9.api.metrics', '9.api.events', '9.port'],
  'health, metrics, events and the dashboard, at the port of the command line',
  async () => {
    assert.notEqual(fixed.port, '1');
    assert.equal((await send('GET', new URL('/livez', fixed))).status, 200);
    assert.equal((await send('GET', new URL('/readyz', fixed))).status, 200);
    const metrics = await send<string>('GET', new URL('/metrics', fixed));
    assert.match(metrics.body, /^# TYPE \S+ (counter|gauge|histogram)$/m);
    const page = await send<string>('GET', new URL('/', fixed));
    assert.match(page.body, /<html/);

    const aborted = new AbortController();
    const headers = {authorization: `Bearer ${await supervisor.token()}`};
    const url = new URL('/api/v1/events', fixed);
    const stream = await fetch(url, {headers, signal: aborted.signal});
    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
    const decoder = new TextDecoder();
    let said = '';
    for await (const chunk of stream.body ?? []) {
      said += decoder.decode(chunk, {stream: true});
      if (/^id: .+$/m.test(said) && /^event: snapshot$/m.test(said) && /\n\n/.test(said)) break;
    }
    aborted.abort();
    const data = /^data: (.*)$/m.exec(said)?.[1] ?? '{}';
    assert.equal(JSON.parse(data).counts.running, 1);
  },
);

shows(
  ['9.control', '9.control.mode', '9.control.token'],
  'the control listener is found by supervisor.json, which is for its owner, and wants the token',
  async () => {
    assert.equal(pointer.pid, supervisor.process.pid);
    const socket = pointer.url.replace(/^unix:\/\//, '');
    assert.equal((await stat(socket)).mode & 0o777, 0o600);
    const file = join(scene.project.path, '.symphony/supervisor.json');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const stranger = await askControl(pointer, 'GET', '/api/v1/state', {hasToken: false});
    assert.equal(stranger.status, 401);
    assert.equal((await supervisor.ask('GET', '/api/v1/state')).status, 200);
  },
);

shows(
  ['9.gate.host', '9.gate.origin', '9.gate.orders', '9.gate.reading'],
  'foreign names and pages are refused; reading and orders need a credential',
  async () => {
    const token = {authorization: `Bearer ${await supervisor.token()}`};
    assert.equal(await status('GET', '/api/v1/state', {}), 401);
    assert.equal(await status('GET', '/api/v1/state', token), 200);
    assert.equal(await status('GET', '/api/v1/state', {host: 'evil.example', ...token}), 403);
    assert.equal(await status('GET', '/api/v1/state', {host: 'symphony.example', ...token}), 200);
    const foreign = {origin: 'http://evil.example'};
    assert.equal(await status('GET', '/api/v1/state', foreign), 403);
    assert.equal(await status('POST', '/api/v1/pause', {...foreign, ...token}), 403);
    assert.equal(await status('POST', '/api/v1/refresh', {}), 401);
    assert.equal(await status('POST', '/api/v1/refresh', token), 202);
    assert.equal(await status('POST', '/api/v1/refresh', foreign), 403);
    assert.equal(await status('POST', '/api/v1/pause', {}), 401);
    assert.equal(await status('POST', '/api/v1/pause', {authorization: 'Bearer no'}), 401);
    assert.equal(await status('POST', '/api/v1/pause', token), 202);
    assert.equal(await status('POST', '/api/v1/resume', {origin: fixed.origin}), 401);
  },
);
