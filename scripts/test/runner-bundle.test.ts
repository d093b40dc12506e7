import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {isBuiltin} from 'node:module';
import {test} from 'node:test';

/** Well beyond what it needs. Compiling this is most of what the start of a run takes beyond Node's own. */
const MAX_CHARACTERS = 220_000;

test('a runner is one small file, and needs nothing else unless its prompt is in Liquid', () => {
  const path = new URL('../../packages/orchestrator/dist/runner.cjs', import.meta.url);
  const source = readFileSync(path, 'utf8');
  assert.ok(source.length < MAX_CHARACTERS, `${source.length} characters`);
  const required = [...source.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
  assert.ok(required.includes('node:fs'));
  assert.deepEqual(
    required.filter((name) => !isBuiltin(name)),
    ['./runner-liquid.cjs'],
  );
  assert.doesNotMatch(source, /\bimport\(/);
  // One character beyond these makes V8 keep every other in two bytes.
  assert.doesNotMatch(source, /[\u0100-\uffff]/);
});
