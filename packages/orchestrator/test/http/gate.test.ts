import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type GateRules, refusalOf} from '../../src/http/gate.ts';
import type {Access} from '../../src/http/route.ts';

const OURS = {host: 'localhost:8080'};
const OUR_PAGE = {...OURS, origin: 'http://localhost:8080'};
const THEIR_PAGE = {...OURS, origin: 'http://evil.example'};
const WITH_TOKEN = {...OURS, authorization: 'Bearer right'};

function ask(
  access: Access,
  headers: Record<string, string>,
  rules: Partial<GateRules> = {},
  method = 'POST',
): string {
  const gate = {
    kind: 'fixed',
    host: '127.0.0.1',
    allowedHosts: [],
    token: 'right',
    ...rules,
  } as const;
  const refusal = refusalOf(gate, access, {method, headers, localAddress: '192.0.2.1'});
  return refusal?.code ?? 'admitted';
}

test('on loopback: who may what without a token', () => {
  const table: [Access, Record<string, string>, string][] = [
    ['open', OURS, 'admitted'],
    ['read', OURS, 'admitted'],
    ['refresh', OURS, 'admitted'],
    ['control', OURS, 'unauthorized'],
    ['control', OUR_PAGE, 'admitted'],
    ['refresh', OUR_PAGE, 'admitted'],
    ['open', THEIR_PAGE, 'foreign_origin'],
    ['read', THEIR_PAGE, 'foreign_origin'],
    ['refresh', THEIR_PAGE, 'foreign_origin'],
    ['control', THEIR_PAGE, 'foreign_origin'],
    ['signed', THEIR_PAGE, 'admitted'],
    ['signed', {host: 'evil.example'}, 'admitted'],
  ];
  for (const [access, headers, expected] of table) {
    assert.equal(ask(access, headers), expected, `${access} ${JSON.stringify(headers)}`);
  }
});

test('the token admits to everything, but not from a foreign page, and a wrong one to nothing', () => {
  for (const access of ['read', 'refresh', 'control'] as const) {
    assert.equal(ask(access, WITH_TOKEN), 'admitted');
    assert.equal(ask(access, {...WITH_TOKEN, origin: 'http://evil.example'}), 'foreign_origin');
    for (const wrong of ['Bearer wrong', 'Bearer right2', 'Bearer', 'Basic right', 'right', '']) {
      assert.equal(ask(access, {...OUR_PAGE, authorization: wrong}), 'unauthorized', wrong);
    }
  }
});

test('the control listener and one off loopback ask everybody for the token', () => {
  for (const rules of [{kind: 'control'}, {host: '0.0.0.0'}, {host: '192.0.2.1'}] as const) {
    const hosted = rules.kind === 'control' ? OURS : {host: '192.0.2.1:8080'};
    const origin = `http://${hosted.host}`;
    for (const access of ['read', 'refresh', 'control'] as const) {
      assert.equal(ask(access, {...hosted, origin}, rules), 'unauthorized');
      assert.equal(ask(access, {...hosted, authorization: 'Bearer right'}, rules), 'admitted');
    }
    assert.equal(ask('open', hosted, rules), 'admitted');
  }
});

test('only names that are ours are answered to', () => {
  const ours = ['localhost', 'LOCALHOST:1', 'localhost.', '127.0.0.1:80', '127.1.2.3', '[::1]:80'];
  for (const host of ours) assert.equal(ask('read', {host}), 'admitted', host);
  const theirs = ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '192.0.2.9', ''];
  const odd = ['localhost@evil', 'a b', '[::1', 'localhost:80:80', 'localhost/x', '127.evil'];
  for (const host of [...theirs, ...odd]) assert.equal(ask('read', {host}), 'foreign_host', host);
  assert.equal(ask('read', {}), 'foreign_host');
  assert.equal(ask('read', {host: '192.0.2.1'}, {host: '0.0.0.0'}), 'unauthorized');
  assert.equal(ask('read', {host: 'localhost'}, {host: '0.0.0.0'}), 'foreign_host');
});

test('an allowed name is one of ours to read by; orders under it need the token', () => {
  const rules = {allowedHosts: ['symphony.example']};
  const proxied = {host: 'symphony.example', origin: 'https://symphony.example'};
  assert.equal(ask('read', proxied, rules), 'admitted');
  for (const access of ['refresh', 'control'] as const) {
    assert.equal(ask(access, proxied, rules), 'unauthorized');
    assert.equal(ask(access, {...proxied, authorization: 'Bearer right'}, rules), 'admitted');
  }
});

test('another port, another scheme, no origin at all: foreign', () => {
  const foreign = ['http://localhost:8081', 'http://localhost', 'null', 'file://', 'x', ''];
  for (const origin of foreign) {
    assert.equal(ask('control', {...OURS, origin}), 'foreign_origin', origin);
  }
  assert.equal(ask('read', {host: 'localhost', origin: 'http://localhost:80'}), 'admitted');
});

test('a browser that leaves the origin out, but says that another page asks, is heard', () => {
  for (const site of ['cross-site', 'same-site']) {
    assert.equal(ask('refresh', {...OURS, 'sec-fetch-site': site}), 'foreign_origin');
  }
  assert.equal(ask('refresh', {...OURS, 'sec-fetch-site': 'same-origin'}), 'admitted');
  // A link from elsewhere to the dashboard.
  assert.equal(ask('read', {...OURS, 'sec-fetch-site': 'cross-site'}, {}, 'GET'), 'admitted');
});
