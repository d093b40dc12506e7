import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import * as fc from 'fast-check';
import {createMask, secretValues} from '../src/mask.ts';

const mask = createMask({values: []});
// In two pieces, so that no scanner of repositories takes them for real.
const body = 'abcdefghij0123456789'.repeat(2);
const PEM = `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMIIEow+/=\nabc\n-----END RSA PRIVATE KEY-----`;
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'c2ln-bmF0_dXJl'].join('.');

const SECRETS: readonly (readonly [secret: string, masked: string])[] = [
  ...['lin_api_', 'lin_oauth_', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'].map(
    (prefix) => [`${prefix}${body}`, `${prefix}***`] as const,
  ),
  ...[
    'sk-',
    'sk-proj-',
    'sk-ant-',
    'sess-',
    'xoxb-',
    'xoxp-',
    'glpat-',
    'npm_',
    'symphony_run_',
  ].map((prefix) => [`${prefix}${body}`, `${prefix}***`] as const),
  ['AKIAABCDEFGHIJKLMNOP', 'AKIA***'],
  ['ASIAABCDEFGHIJKLMNOP', 'ASIA***'],
  [`AIza${body.slice(0, 35)}`, 'AIza***'],
  [JWT, 'eyJ***'],
  ['Bearer abc123', 'Bearer ***'],
  ['bearer abcdefghijklmnopqrstuvwxyz', 'bearer ***'],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic ***'],
  ['authorization=abc123def', 'authorization=***'],
  ['https://user:pass@example.com/x', 'https://user:***@example.com/x'],
  ['postgres://:pass@db', 'postgres://:***@db'],
  [PEM, '-----BEGIN RSA PRIVATE KEY-----***'],
];

for (const [secret, masked] of SECRETS) {
  describe(`${masked} is all that is left`, () => {
    for (const [before, after] of [
      ['', ''],
      ['token ', ' and more'],
      ['"', '"'],
      ["key='", "';"],
      ['TOKEN=', '\n'],
      ['(', ')'],
    ] as const) {
      test(`between ${JSON.stringify(before)} and ${JSON.stringify(after)}`, () => {
        const text = `${before}${secret}${after}`;
        assert.equal(mask(text), `${before}${masked}${after}`);
        assert.equal(mask(mask(text)), mask(text));
      });
    }

    test('in JSON, also after a line break, and in JSON within JSON', () => {
      const json = (text: string) => JSON.stringify({n: 1.0, text: `log:\n${text}\nend`});
      assert.equal(mask(json(secret)), json(masked));
      assert.equal(mask(json(json(secret))), json(json(masked)));
    });

    test('in JSON that was cut off', () => {
      const cut = (text: string) => JSON.stringify({text: `log:\n${text}`}).slice(0, -2);
      assert.equal(mask(cut(secret)), cut(masked));
    });
  });
}

for (const text of [
  'task-force, risk-based, desk-0123456789abcdefghij',
  'sk-fading-circle-with-three-dots',
  '123e4567-e89b-12d3-a456-426614174000',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  '/usr/lib/x86_64-linux-gnu/libstdc++.so.6',
  'node_modules/.cache/aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ/index.js',
  'npm_config_registry npm_lifecycle_event npm_package_dependencies_typescript',
  'a bearer token, Bearer authentication, the bearer of news',
  'Authorization: required',
  'authorization is done by the gateway: see below',
  'https://example.com:8080/path?mail=me@example.com git@github.com:a/b.git ssh://git@host/x',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'eyJust a word. eyJ.eyJ.x',
  'AKIA is a prefix; MAKIAABCDEFGHIJKLMNOPQ is a word',
  'xoxo-hugs-and-kisses-2024',
  '{"a": 1.0, "b": "caf\\u00e9", "sk": "sk-"}',
]) {
  test(`untouched: ${text}`, () => assert.equal(mask(text), text));
}

test('a header and its value in JSON are masked together, and nothing else is', () => {
  assert.equal(
    mask('{ "Authorization" : "abc123def", "x": ["Authorization", "abc123def"], "y":1.50}'),
    '{ "Authorization" : "***", "x": ["Authorization", "abc123def"], "y":1.50}',
  );
});

describe('values', () => {
  const hide = createMask({
    values: ['hunter2', 'hunter2-long', 'pa"ss\\wo\nrd', '$&(a|b)*', 'short', '123456'],
  });

  for (const [text, masked] of [
    ['is hunter2.', 'is ***.'],
    ['xhunter2x', 'x***x'],
    ['hunter2-long', '***'],
    ['plain pa"ss\\wo\nrd here', 'plain *** here'],
    ['cut {"a":"pa\\"ss\\\\wo\\nrd', 'cut {"a":"***'],
    ['$&(a|b)*', '***'],
    ['too short', 'too short'],
    ['{"pin":123456,"text":"123456"}', '{"pin":123456,"text":"***"}'],
    ['{"hunter2":"\\u0068unter2 hunter2"}', '{"***":"*** ***"}'],
  ] as const) {
    test(text, () => assert.equal(hide(text), masked));
  }

  test('none of them is found in JSON, however deep', () => {
    const value = 'pa"ss\\wo\nrd';
    const once = JSON.stringify({a: [value]});
    const twice = JSON.stringify({b: once});
    assert.equal(hide(once), '{"a":["***"]}');
    assert.equal(hide(twice), JSON.stringify({b: '{"a":["***"]}'}));
  });
});

test('a line of ten megabytes comes back, however hostile', () => {
  const megabytes = (text: string) => text.repeat(Math.ceil(10_000_000 / text.length));
  const hide = createMask({values: ['hunter2hunter2']});
  const units = [
    'a',
    '"',
    '\\',
    '\\u0041',
    'hunter2',
    'eyJ',
    '-eyJ',
    'eyJaaaaaaaa.',
    'sk-',
    'ghp_',
  ];
  const phrases = ['://', '://a:', 'Bearer ', 'Authorization: ', '-----BEGIN PRIVATE KEY-----'];
  for (const unit of [...units, ...phrases]) {
    const line = megabytes(unit);
    assert.ok(hide(line).length > 0);
  }
  for (const start of ['eyJ', 'ghp_', 'sk-1', 'Bearer 1', 'Authorization: Basic ', '://u:']) {
    assert.ok(hide(`${start}${megabytes('a')}`).length > 9_000_000);
  }
  for (const unit of ['"', '\\']) {
    const line = JSON.stringify({line: megabytes(unit), token: `ghp_${body}`});
    assert.equal(hide(line), line.replace(body, '***'));
  }
});

test('JSON stays JSON, whatever the secrets are', () => {
  const piece = fc.oneof(
    fc.string({unit: 'binary'}),
    fc.constantFrom('\\', '"', '\n', ...SECRETS.map(([secret]) => secret)),
  );
  const text = fc.array(piece).map((pieces) => pieces.join(''));
  const {json} = fc.letrec((tie) => ({
    json: fc.oneof(
      fc.oneof(text, fc.integer(), fc.double({noNaN: true}), fc.boolean(), fc.constant(null)),
      fc.array(tie('json')),
      fc.dictionary(text, tie('json')),
    ),
  }));
  // Pieces of the line itself, so that values cut through quotes, escapes, numbers and structure.
  const cuts = fc.array(fc.tuple(fc.nat(400), fc.integer({min: 6, max: 12})));
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), cuts, (msg, indent, places) => {
      const line = JSON.stringify({msg}, null, indent);
      const values = places.map(([at, length]) => line.slice(at % line.length).slice(0, length));
      assert.doesNotThrow(() => JSON.parse(createMask({values})(line)));
    }),
    {numRuns: 250},
  );
});

test('the names of variables tell which values are secret', () => {
  const env = {
    LINEAR_API_KEY: 'linear-value',
    GITHUB_TOKEN: 'github-value',
    npm_config_token: 'npm-value',
    TOKEN: 'bare-value',
    CLIENT_SECRET_BASE: 'secret-value',
    PGPASSWORD: 'password-value',
    AWS_CREDENTIALS: 'credential-value',
    AWS_SECRET_ACCESS_KEY: '/begins/like+a/path',
    // And these are not:
    PATH: '/usr/bin:/bin',
    SSH_AUTH_SOCK: '/tmp/ssh-agent.sock',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/me/key.json',
    TLS_KEY: './certs/server.pem',
    SIGNING_KEY: 'C:\\keys\\private.pem',
    KEYBOARD: 'qwerty-layout',
    TOKENIZERS_PARALLELISM: 'falsefalse',
    SHORT_TOKEN: 'abcde',
    MAX_TOKEN: '1000000',
    USE_SECRET: 'true',
    GONE_TOKEN: undefined,
  };
  assert.deepEqual(secretValues(env), [
    'linear-value',
    'github-value',
    'npm-value',
    'bare-value',
    'secret-value',
    'password-value',
    'credential-value',
    '/begins/like+a/path',
  ]);
});
