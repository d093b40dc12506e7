import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {isBuiltin} from 'node:module';
import {test} from 'node:test';

/** Well beyond what it needs. Compiling this is most of what the start of a run takes beyond Node's own. */
const MAX_CHARACTERS = 300_000;

test('a runner is one small file, and needs nothing but Node beside it', () => {
  const path = new URL('../../packages/orchestrator/dist/runner-code.cjs', import.meta.url);
  const source = readFileSync(path, 'utf8');
  assert.ok(source.length < MAX_CHARACTERS, `${source.length} characters`);
  const required = [...source.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
  assert.ok(required.includes('node:fs'));
  assert.deepEqual(
    required.filter((name) => !isBuiltin(name)),
    [],
  );
  assert.doesNotMatch(source, /\bimport\(/);
});
