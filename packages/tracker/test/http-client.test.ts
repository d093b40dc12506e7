import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {after, before, beforeEach, test} from 'node:test';
import {TrackerProblem} from '../src/answer.ts';
import {HttpClient, type HttpOptions, type HttpRequest} from '../src/http/client.ts';
import {type Fault, FaultProxy} from './servers/fault-proxy.ts';

const KEY = 'key-of-many-letters';
/** Nothing here waits for it, but for the tests in which nobody answers. */
const LIMIT_MS = 150;

let server: Server;
let proxy: FaultProxy;

before(async () => {
  server = createServer((request, response) => {
    const {authorization} = request.headers;
    response.end(JSON.stringify({path: request.url, authorization}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(async () => {
  await proxy?.[Symbol.asyncDispose]();
  proxy = await FaultProxy.before(addressOf(server));
});
after(async () => {
  await proxy[Symbol.asyncDispose]();
  server.close();
});

function addressOf(listening: Server): URL {
  return new URL(`http://127.0.0.1:${(listening.address() as AddressInfo).port}/`);
}

function client(options: Partial<HttpOptions> = {}): HttpClient {
  return new HttpClient({
    name: 'The tracker',
    endpoint: proxy.url,
    authorize: async () => `Bearer ${KEY}`,
    pauseMs: 1,
    ...options,
  });
}

function read(http: HttpClient, more: Partial<HttpRequest> = {}) {
  const {signal} = new AbortController();
  return http.request({method: 'GET', path: '/', safe: true, signal, ...more});
}

/** The failure, which must not hold the key. */
async function failureOf(request: Promise<unknown>) {
  const problem = await request.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error,
  );
  assert.ok(problem instanceof TrackerProblem, String(problem));
  assert.doesNotMatch(JSON.stringify(problem.failure), new RegExp(KEY));
  return problem.failure;
}

test('an answer comes with its status, headers and body; a key sent back is not in it', async () => {
  await using http = client();
  const {status, headers, body} = await read(http, {path: '/here?now'});
  assert.equal(status, 200);
  assert.equal(headers['content-length'], String(body.length + KEY.length - 3));
  assert.deepEqual(JSON.parse(body), {path: '/here?now', authorization: 'Bearer ***'});
  assert.equal(http.budget().made.ok, 1);
});

test('every fault has its category', async () => {
  const answer = (status: number, body = `no, ${KEY}`): Fault => ({is: 'answer', status, body});
  const rows: readonly [Fault, string, RegExp][] = [
    [{is: 'drop'}, 'tracker_request', /could not be reached/],
    [{is: 'cut'}, 'tracker_request', /could not be reached/],
    [{is: 'hang'}, 'tracker_request', /within 150 ms/],
    [{is: 'stall'}, 'tracker_request', /within 150 ms/],
    [answer(401), 'tracker_auth', /refuses the key/],
    [answer(404), 'tracker_status', /404 Not Found: no, \*\*\*/],
    [answer(500), 'tracker_status', /500/],
    [answer(429), 'tracker_rate_limited', /limits the rate of requests/],
  ];
  for (const [fault, code, message] of rows) {
    await using http = client(
      fault?.is === 'hang' || fault?.is === 'stall' ? {limitMs: LIMIT_MS} : {},
    );
    proxy.always(fault);
    const failure = await failureOf(read(http));
    assert.equal(failure.code, code, JSON.stringify(fault));
    assert.match(failure.message, message);
  }
});

test('a server that is not there is a failure, not a crash', async () => {
  const closed = await FaultProxy.before(addressOf(server));
  const endpoint = closed.url;
  await closed[Symbol.asyncDispose]();
  await using http = client({endpoint});
  const failure = await failureOf(read(http));
  assert.equal(failure.code, 'tracker_request');
  assert.match(failure.message, /ECONNREFUSED/);
});

test('a read is sent again after a fault that passes', async () => {
  for (const fault of [{is: 'drop'}, {is: 'cut'}, {is: 'answer', status: 502}] as Fault[]) {
    await using http = client();
    proxy.next(fault, fault);
    assert.equal((await read(http)).status, 200);
    const {ok, request, status} = http.budget().made;
    assert.deepEqual([ok, Number(request) + Number(status)], [1, 2]);
  }
});

test('a write is sent once, whatever happens to it', async () => {
  for (const fault of [{is: 'drop'}, {is: 'cut'}, {is: 'answer', status: 502}] as Fault[]) {
    await using http = client();
    proxy.seen.length = 0;
    proxy.next(fault);
    await failureOf(read(http, {method: 'POST', safe: false, body: {}}));
    assert.equal(proxy.seen.length, 1);
  }
});

test('a refusal is not asked for twice', async () => {
  for (const status of [400, 401, 403, 404, 429]) {
    await using http = client();
    proxy.seen.length = 0;
    proxy.always({is: 'answer', status});
    await failureOf(read(http));
    assert.equal(proxy.seen.length, 1, String(status));
  }
});

test('"not before" is told, and kept without a request', async () => {
  const rows: readonly [Record<string, string>, number][] = [
    [{'retry-after': '7'}, 7_000],
    [{}, 60_000],
    [{'retry-after': 'soon'}, 60_000],
    [{'retry-after': '99999999'}, 3_600_000],
    [{'retry-after': '0'}, 1_000],
  ];
  for (const [headers, wait] of rows) {
    await using http = client();
    proxy.seen.length = 0;
    proxy.next({is: 'answer', status: 429, headers});
    const {code, retryAfterMs} = await failureOf(read(http));
    assert.equal(code, 'tracker_rate_limited');
    assert.ok(retryAfterMs !== undefined && retryAfterMs <= wait && retryAfterMs > wait - 1_000);
    assert.equal((await failureOf(read(http))).code, 'tracker_rate_limited');
    assert.equal(proxy.seen.length, 1);
    assert.ok(Date.parse(http.budget().not_before ?? '') > Date.now());
  }
});

test('a limit that is used up is known before it is broken', async () => {
  const resets_at = new Date(Date.now() + 600_000).toISOString();
  await using http = client({
    readRates: () => ({requests: {limit: 100, remaining: 0, resets_at}}),
  });
  assert.equal((await read(http)).status, 200);
  const {code, retryAfterMs} = await failureOf(read(http));
  assert.equal(code, 'tracker_rate_limited');
  assert.ok(retryAfterMs !== undefined && retryAfterMs > 590_000 && retryAfterMs <= 600_000);
  assert.equal(http.budget().not_before, resets_at);
});

test('an answer without end is not read to its end', async () => {
  await using http = client();
  proxy.next({is: 'flood', bytes: 100 * 1024 * 1024});
  const failure = await failureOf(read(http));
  assert.equal(failure.code, 'tracker_response');
  assert.match(failure.message, /too large/);
  assert.ok(proxy.flooded < 32 * 1024 * 1024, `${proxy.flooded} bytes were taken`);
});

test('the key stays with its host, wherever an answer points', async () => {
  await using elsewhere = await FaultProxy.before(addressOf(server));
  await using http = client();
  const to = (location: string): Fault => ({is: 'answer', status: 302, headers: {location}});
  for (const location of [elsewhere.url.href, `//127.0.0.1:${elsewhere.url.port}/`]) {
    proxy.next(to(location));
    assert.equal((await failureOf(read(http))).code, 'tracker_status');
  }
  assert.equal(elsewhere.seen.length, 0);
  proxy.next(to('/renamed?page=2'));
  assert.equal(JSON.parse((await read(http)).body).path, '/renamed?page=2');
  proxy.always(to('/renamed'));
  assert.equal((await failureOf(read(http))).code, 'tracker_status');
});

test('a key that no header can hold is told, and not sent', async () => {
  for (const key of ['two\nlines', 'ünusual', '']) {
    await using http = client({authorize: async () => key});
    proxy.seen.length = 0;
    assert.equal((await failureOf(read(http))).code, 'invalid_tracker_config');
    assert.equal(proxy.seen.length, 0);
  }
});

test('whoever asks can also stop asking', async () => {
  await using http = client();
  proxy.always({is: 'hang'});
  const asking = new AbortController();
  const asked = read(http, {signal: asking.signal});
  asking.abort(new Error('enough'));
  await assert.rejects(asked, /enough/);
});

test('an answer that is refused after all is counted as what it is', async () => {
  await using http = client();
  await read(http);
  const problem = http.refuse('tracker_response', 'sent no JSON');
  assert.equal(problem.failure.message, 'The tracker sent no JSON');
  const {ok, response} = http.budget().made;
  assert.deepEqual([ok, response], [0, 1]);
});

test('closing waits a moment for what is under way, and then no longer', async () => {
  const http = client({graceMs: 20});
  proxy.always({is: 'hang'});
  // More than there are connections: some have not even been sent.
  const asked = Array.from({length: 6}, () => failureOf(read(http)));
  await proxy.requests(4);
  await http[Symbol.asyncDispose]();
  for (const {code} of await Promise.all(asked)) assert.equal(code, 'tracker_request');
  assert.equal((await failureOf(read(http))).code, 'tracker_request');
  await http[Symbol.asyncDispose]();
});
