import assert from 'node:assert/strict';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {CODE_VALID_MS, LoginCodes} from '../../../src/http/access/login-codes.ts';
import {SESSION_MS, Sessions} from '../../../src/http/access/sessions.ts';
import {LoginCode, SessionOpened} from '../../../src/http/api/shapes.ts';
import {TemporaryDir, withStore} from '../../store/a-store.ts';
import {codeOf, rawRequest} from '../raw-request.ts';
import {Served} from '../served.ts';
import {SseClient} from '../sse-client.ts';

test('a code works once, within ten minutes', () => {
  let now = 0;
  const codes = new LoginCodes(() => now);
  const [first, second, third] = [codes.make(), codes.make(), codes.make()];
  assert.match(first, /^[\w-]{22}$/);
  assert.equal(codes.redeem('x'), false);
  assert.equal(codes.redeem(first), true);
  assert.equal(codes.redeem(first), false);
  now = CODE_VALID_MS - 1;
  assert.equal(codes.redeem(second), true);
  now = CODE_VALID_MS;
  assert.equal(codes.isValid(third), false);
  assert.equal(codes.redeem(third), false);
});

test('of codes that nobody uses the oldest are dropped', () => {
  const codes = new LoginCodes();
  const made = Array.from({length: 25}, () => codes.make());
  assert.deepEqual(
    made.map((code) => codes.isValid(code)),
    made.map((_, index) => index >= 5),
  );
});

test('a session needs both of its secrets, ends after 30 days, and with the control token', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, ({sessions: table}) => {
    let now = 1000;
    const tokens = {control: 'one'};
    const sessions = new Sessions(table, tokens, () => now);
    const {id, cookie, pageKey} = sessions.open();
    const other = sessions.open();
    assert.equal(sessions.find(cookie, pageKey), id);
    assert.equal(sessions.find(cookie, other.pageKey), null);
    assert.equal(sessions.find(other.cookie, pageKey), null);
    assert.equal(sessions.find(pageKey, cookie), null);
    assert.doesNotMatch(JSON.stringify(table.all()), new RegExp(`${cookie}|${pageKey}`));

    const restarted = new Sessions(table, tokens, () => now);
    assert.equal(restarted.cookieName, sessions.cookieName);
    assert.equal(restarted.find(cookie, pageKey), id);
    // A store that was restored from a backup has sessions that a new token has ended.
    const rotated = new Sessions(table, {control: 'two'}, () => now);
    assert.equal(rotated.find(cookie, pageKey), null);
    now += SESSION_MS;
    assert.equal(restarted.find(cookie, pageKey), null);
  });
});

test('there is a bound to the number of sessions; the oldest ends', async () => {
  using dir = new TemporaryDir();
  await withStore(dir.path, ({sessions: table}) => {
    const sessions = new Sessions(table, {control: 'one'});
    const opened = Array.from({length: 101}, () => sessions.open());
    assert.equal(table.all().length, 100);
    const found = opened.map(({cookie, pageKey}) => sessions.find(cookie, pageKey) !== null);
    assert.deepEqual(found, [false, ...Array.from({length: 100}, () => true)]);
  });
});

/** As a browser does it: the code of a link for a cookie and a page key. */
async function signedIn(served: Served): Promise<{cookie: string; key: string; code: string}> {
  const made = await served.order('/api/v1/login-codes');
  assert.equal(made.status, 201);
  const {code, dashboard_url: url} = LoginCode.parse(await made.json());
  assert.equal(url, served.url);
  const answer = await exchange(served, code);
  assert.equal(answer.status, 200);
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  assert.match(
    cookie,
    /^symphony_[0-9a-f]{12}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const {page_key: key} = SessionOpened.parse(JSON.parse(answer.body));
  return {cookie: cookie.split(';')[0] ?? '', key, code};
}

function exchange(served: Served, code: string, more: Record<string, string> = {}) {
  const headers = {'content-type': 'application/json', origin: served.url, ...more};
  const body = JSON.stringify({code});
  return rawRequest(served.url, '/api/v1/session', {method: 'POST', headers, body});
}

test('a signed-in page reads and orders; its record names the session; a link works once', async () => {
  await using served = await Served.start({issues: []});
  const {cookie, key, code} = await signedIn(served);
  const headers = {cookie, 'x-symphony-page-key': key, origin: served.url};
  assert.equal((await rawRequest(served.url, '/api/v1/state', {headers})).status, 200);
  const named = {...headers, 'x-symphony-by': 'the director'};
  const order = await rawRequest(served.url, '/api/v1/pause', {method: 'POST', headers: named});
  assert.equal(order.status, 202);
  assert.match(JSON.parse(order.body).by, /^session [\w-]{8}, 127\.0\.0\.1/);
  for (const half of [{cookie}, {'x-symphony-page-key': key}]) {
    assert.equal((await rawRequest(served.url, '/api/v1/state', {headers: half})).status, 401);
  }
  for (const path of ['/api/v1/login-codes', '/api/v1/tokens/rotate']) {
    const answer = await rawRequest(served.url, path, {method: 'POST', headers});
    assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden'], path);
  }
  const again = await exchange(served, code);
  assert.deepEqual([again.status, codeOf(again)], [401, 'unauthorized']);
  assert.equal(again.headers['set-cookie'], undefined);
  for (const secret of [cookie.split('=')[1] ?? '', key, code]) {
    assert.doesNotMatch(served.logged.join('\n'), new RegExp(secret));
  }
});

test('a link of another page is no link, and behind TLS the cookie stays there', async () => {
  await using served = await Served.start({
    listeners: {
      fixed: {host: '127.0.0.1', port: 0, allowedHosts: ['symphony.example'], publicRead: false},
    },
  });
  const {makeLink} = served.listeners;
  const codeIn = () => makeLink()?.url.split('#login=')[1] ?? '';
  assert.equal((await exchange(served, codeIn(), {origin: 'http://evil.example'})).status, 403);
  const proxied = {host: 'symphony.example', origin: 'https://symphony.example'};
  const answer = await exchange(served, codeIn(), proxied);
  assert.match(answer.headers['set-cookie']?.[0] ?? '', /; Secure$/);
  const large = {'content-type': 'application/json'};
  const body = JSON.stringify({code: 'x'.repeat(2000)});
  const options = {method: 'POST', headers: large, body};
  assert.equal((await rawRequest(served.url, '/api/v1/session', options)).status, 413);
});

test('the read token reads, and gives no order', async () => {
  await using served = await Served.start();
  const path = join(served.stateDir, 'read-token');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const headers = {authorization: `Bearer ${(await readFile(path, 'utf8')).trim()}`};
  assert.equal((await rawRequest(served.url, '/api/v1/state', {headers})).status, 200);
  for (const order of ['pause', 'refresh', 'tokens/rotate', 'login-codes']) {
    const answer = await rawRequest(served.url, `/api/v1/${order}`, {method: 'POST', headers});
    assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden'], order);
  }
});

test('new tokens void the former ones, every session, every link and every open stream', async () => {
  await using served = await Served.start();
  const former = {authorization: `Bearer ${await served.token()}`};
  const formerRead = await readFile(join(served.stateDir, 'read-token'), 'utf8');
  const {cookie, key} = await signedIn(served);
  const session = {cookie, 'x-symphony-page-key': key};
  const link = served.listeners.makeLink();
  using stream = await SseClient.open(served.url, session);
  await stream.heard();
  assert.equal((await served.order('/api/v1/tokens/rotate')).status, 200);
  await stream.closed;
  assert.equal(link?.isValid(), false);
  const read = {authorization: `Bearer ${formerRead.trim()}`};
  for (const headers of [former, session, read]) {
    assert.equal((await rawRequest(served.url, '/api/v1/state', {headers})).status, 401);
  }
  assert.equal((await served.ask('/api/v1/state')).status, 200);
  assert.deepEqual(served.supervisor.sessions.all(), []);
  assert.ok(served.logged.some((line) => line.includes('tokens.rotated')));
});
