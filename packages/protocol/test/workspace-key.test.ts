import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {workspaceKey} from '../src/index.ts';

const SAFE_SEGMENT = /^[A-Za-z0-9._-]{1,117}$/;

test('an identifier that is safe as it stands keeps its name exactly', () => {
  for (const identifier of [
    'ABC-1',
    'a',
    'repo-12',
    'v1.2_x',
    'a...',
    'node_modules-1',
    'x'.repeat(100),
  ]) {
    assert.equal(workspaceKey(identifier), identifier);
  }
});

test('any other identifier gets a digest of the original', () => {
  const table: [string, RegExp][] = [
    ['team/a-1', /^team_a-1-[0-9a-f]{16}$/],
    ['', /^-[0-9a-f]{16}$/],
    ['.', /^\.-[0-9a-f]{16}$/],
    ['..', /^\.\.-[0-9a-f]{16}$/],
    ['../../etc/passwd', /^\.\._\.\._etc_passwd-[0-9a-f]{16}$/],
    ['x'.repeat(101), /^x{100}-[0-9a-f]{16}$/],
    ['ünï', /^_n_-[0-9a-f]{16}$/],
    ['ABC-0123456789abcdef', /^ABC-0123456789abcdef-[0-9a-f]{16}$/],
    ['.symphony', /^\.symphony-[0-9a-f]{16}$/],
    ['.Symphony', /^\.Symphony-[0-9a-f]{16}$/],
    ['...', /^\.\.\.-[0-9a-f]{16}$/],
    ['.git', /^\.git-[0-9a-f]{16}$/],
    ['.npmrc', /^\.npmrc-[0-9a-f]{16}$/],
    ['node_modules', /^node_modules-[0-9a-f]{16}$/],
    ['Node_Modules', /^Node_Modules-[0-9a-f]{16}$/],
    ['__pycache__', /^__pycache__-[0-9a-f]{16}$/],
    ['venv', /^venv-[0-9a-f]{16}$/],
    ['vendor', /^vendor-[0-9a-f]{16}$/],
    ['Cargo.toml', /^Cargo\.toml-[0-9a-f]{16}$/],
    ['package.json', /^package\.json-[0-9a-f]{16}$/],
  ];
  for (const [identifier, expected] of table) assert.match(workspaceKey(identifier), expected);
});

test('100 000 identifiers: every key is one safe segment, distinct and stable', () => {
  const hostile = fc.oneof(
    fc.string({unit: 'binary', maxLength: 30}),
    fc.string({unit: 'grapheme', maxLength: 150}),
    fc
      .array(fc.constantFrom('..', '.', '/', '\\', '\0', '-', '_', 'a', 'A', '0', ' ', '.symphony'))
      .map((parts) => parts.join('')),
    fc.string({minLength: 90, maxLength: 300}),
    fc.stringMatching(/^[A-Za-z0-9._-]{1,20}-[0-9a-f]{16}$/),
  );
  const identifiers = new Set<string>();
  for (const identifier of fc.sample(hostile, {numRuns: 25_000, seed: 7})) {
    // Twins: what a careless rule would send to the same folder.
    identifiers.add(identifier);
    identifiers.add(identifier.toUpperCase());
    identifiers.add(identifier.replaceAll('/', '_'));
    identifiers.add(workspaceKey(identifier));
    identifiers.add(`${identifier}x`);
    identifiers.add(`${identifier}/`);
  }
  assert.ok(identifiers.size >= 100_000, `only ${identifiers.size} identifiers`);

  const keys = new Map<string, string>();
  for (const identifier of identifiers) {
    const key = workspaceKey(identifier);
    assert.match(key, SAFE_SEGMENT);
    assert.ok(key !== '.' && key !== '..' && key.toLowerCase() !== '.symphony', key);
    assert.equal(workspaceKey(identifier), key);
    assert.equal(keys.get(key), undefined, `${JSON.stringify(identifier)} shares ${key}`);
    keys.set(key, identifier);
  }
});
