import assert from 'node:assert/strict';
import {test} from 'node:test';
import {admit, type GateRules} from '../../../src/http/access/gate.ts';
import type {Access} from '../../../src/http/api/route.ts';
import {ApiError} from '../../../src/http/api-error.ts';

const KEYRING = {
  tokens: {control: 'right', read: 'look'},
  sessions: {
    cookieName: 'symphony_1',
    find: (cookie: string, key: string) => (cookie === 'c' && key === 'k' ? 's1' : null),
  },
};

const OURS = {host: 'localhost:8080'};
const OUR_PAGE = {...OURS, origin: 'http://localhost:8080'};
const THEIR_PAGE = {...OURS, origin: 'http://evil.example'};
const WITH_TOKEN = {...OURS, authorization: 'Bearer right'};
const WITH_READ_TOKEN = {...OURS, authorization: 'Bearer look'};
const COOKIE = {...OURS, cookie: 'a=b; symphony_1=c'};
const PAGE_KEY = {...OURS, 'x-symphony-page-key': 'k'};
const SESSION = {...COOKIE, ...PAGE_KEY};

const PROTECTED = ['read', 'control', 'owner'] as const;

function ask(
  access: Access,
  headers: Record<string, string>,
  rules: Partial<GateRules> = {},
  method = 'POST',
): string {
  const gate: GateRules = {
    ...{kind: 'fixed', host: '127.0.0.1', allowedHosts: [], publicRead: false},
    ...rules,
  };
  try {
    const visitor = {method, headers, localAddress: '192.0.2.1'};
    const credential = admit(gate, KEYRING, access, visitor);
    return credential === null ? 'admitted' : `admitted by ${credential.is}`;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test('without a credential: health and metrics, and nothing else', () => {
  const table: [Access, Record<string, string>, string][] = [
    ['open', OURS, 'admitted'],
    ['local', OURS, 'admitted'],
    ...PROTECTED.map((access): [Access, typeof OURS, string] => [access, OURS, 'unauthorized']),
    ...PROTECTED.map((access): [Access, typeof OURS, string] => [access, OUR_PAGE, 'unauthorized']),
    ['open', THEIR_PAGE, 'foreign_origin'],
    ['local', THEIR_PAGE, 'foreign_origin'],
    ['read', THEIR_PAGE, 'foreign_origin'],
    ['control', THEIR_PAGE, 'foreign_origin'],
    ['signed', THEIR_PAGE, 'admitted'],
    ['signed', {host: 'evil.example'}, 'admitted'],
  ];
  for (const [access, headers, expected] of table) {
    assert.equal(ask(access, headers), expected, `${access} ${JSON.stringify(headers)}`);
  }
});

test('each credential allows what it is for', () => {
  const table: [Record<string, string>, string, string, string][] = [
    [WITH_TOKEN, 'admitted by control', 'admitted by control', 'admitted by control'],
    [SESSION, 'admitted by session', 'admitted by session', 'forbidden'],
    [WITH_READ_TOKEN, 'admitted by read', 'forbidden', 'forbidden'],
  ];
  for (const [headers, ...expected] of table) {
    assert.deepEqual(
      PROTECTED.map((access) => ask(access, headers)),
      expected,
    );
  }
});

test('no credential admits a foreign page, and a wrong token admits to nothing', () => {
  for (const access of PROTECTED) {
    for (const credential of [WITH_TOKEN, WITH_READ_TOKEN, SESSION]) {
      const headers = {...credential, origin: 'http://evil.example'};
      assert.equal(ask(access, headers), 'foreign_origin');
    }
    for (const wrong of ['Bearer wrong', 'Bearer right2', 'Bearer', 'Basic right', 'right', '']) {
      assert.equal(ask(access, {...OUR_PAGE, authorization: wrong}), 'unauthorized', wrong);
    }
  }
  assert.equal(ask('local', {...OURS, authorization: 'Bearer wrong'}), 'unauthorized');
  assert.equal(ask('open', {...OURS, authorization: 'Bearer wrong'}), 'admitted');
  assert.equal(ask('read', {...SESSION, authorization: 'Bearer wrong'}), 'unauthorized');
});

test('neither the cookie nor the page key is enough alone', () => {
  const halves = [COOKIE, PAGE_KEY, {...COOKIE, 'x-symphony-page-key': 'other'}];
  const foreignCookie = {...PAGE_KEY, cookie: 'symphony_2=c; xsymphony_1=c; symphony_1=d'};
  for (const headers of [...halves, foreignCookie]) {
    for (const access of PROTECTED) {
      assert.equal(ask(access, headers), 'unauthorized', JSON.stringify(headers));
    }
  }
  // A server on another port can set a cookie of the same name beside ours.
  const tossed = {...PAGE_KEY, cookie: 'symphony_1=theirs; symphony_1=c'};
  assert.equal(ask('control', tossed), 'admitted by session');
});

test('the control listener and one off loopback ask everybody for a credential', () => {
  for (const rules of [
    {kind: 'control', publicRead: true},
    {host: '0.0.0.0', publicRead: true},
    {host: '192.0.2.1', publicRead: true},
  ] as const) {
    const hosted = 'kind' in rules ? OURS : {host: '192.0.2.1:8080'};
    const origin = `http://${hosted.host}`;
    for (const access of ['local', ...PROTECTED] as const) {
      assert.equal(ask(access, {...hosted, origin}, rules), 'unauthorized');
      const withToken = {...hosted, authorization: 'Bearer right'};
      assert.equal(ask(access, withToken, rules), 'admitted by control');
    }
    assert.equal(ask('open', hosted, rules), 'admitted');
  }
});

test('public reading frees reading on loopback, and no order', () => {
  const rules = {publicRead: true};
  assert.equal(ask('read', OURS, rules), 'admitted');
  for (const access of ['control', 'owner'] as const) {
    assert.equal(ask(access, OURS, rules), 'unauthorized');
  }
  assert.equal(ask('read', WITH_READ_TOKEN, rules), 'admitted by read');
});

test('behind a proxy nothing is free, by its name or by what it forwards', () => {
  const rules = {allowedHosts: ['symphony.example'], publicRead: true};
  const proxied = {host: 'symphony.example', origin: 'https://symphony.example'};
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].map((name) => ({
    ...OURS,
    [name]: 'for=192.0.2.7',
  }));
  for (const headers of [proxied, ...forwarded]) {
    for (const access of ['local', ...PROTECTED] as const) {
      assert.equal(ask(access, headers, rules), 'unauthorized');
      const withToken = {...headers, authorization: 'Bearer right'};
      assert.equal(ask(access, withToken, rules), 'admitted by control');
    }
  }
});

test('only names that are ours are answered to', () => {
  const ours = ['localhost', 'LOCALHOST:1', 'localhost.', '127.0.0.1:80', '127.1.2.3', '[::1]:80'];
  for (const host of ours) assert.equal(ask('local', {host}), 'admitted', host);
  const theirs = ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '192.0.2.9', ''];
  const odd = ['localhost@evil', 'a b', '[::1', 'localhost:80:80', 'localhost/x', '127.evil'];
  for (const host of [...theirs, ...odd]) assert.equal(ask('open', {host}), 'foreign_host', host);
  assert.equal(ask('open', {}), 'foreign_host');
  assert.equal(ask('read', {host: '192.0.2.1'}, {host: '0.0.0.0'}), 'unauthorized');
  assert.equal(ask('read', {host: 'localhost'}, {host: '0.0.0.0'}), 'foreign_host');
});

test('another port, another scheme, no origin at all: foreign', () => {
  const foreign = ['http://localhost:8081', 'http://localhost', 'null', 'file://', 'x', ''];
  for (const origin of foreign) {
    assert.equal(ask('control', {...WITH_TOKEN, origin}), 'foreign_origin', origin);
  }
  assert.equal(ask('local', {host: 'localhost', origin: 'http://localhost:80'}), 'admitted');
});

test('a browser that leaves the origin out, but names the kind of page, is believed', () => {
  for (const site of ['cross-site', 'same-site']) {
    assert.equal(ask('control', {...WITH_TOKEN, 'sec-fetch-site': site}), 'foreign_origin');
  }
  const own = {...WITH_TOKEN, 'sec-fetch-site': 'same-origin'};
  assert.equal(ask('control', own), 'admitted by control');
  // A link from elsewhere to the dashboard.
  assert.equal(ask('open', {...OURS, 'sec-fetch-site': 'cross-site'}, {}, 'GET'), 'admitted');
});
