import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {isBuiltin} from 'node:module';
import {test} from 'node:test';
import {AGENT_PROFILES, DEFAULT_KIND} from '@symphony-supervisor/protocol/workflow';

/** Well beyond what it needs. Compiling this is most of what the start of a run takes beyond Node's own. */
const MAX_CHARACTERS = 225_000;

function bundleOf(name: string): {source: string; required: string[]} {
  const path = new URL(`../../packages/orchestrator/dist/${name}`, import.meta.url);
  const source = readFileSync(path, 'utf8');
  const found = [...source.matchAll(/\brequire\("([^"]+)"\)/g)].map(
    ([, required = '']) => required,
  );
  return {source, required: found};
}

test('a runner is one small file, and needs another only for Liquid or for another agent', () => {
  const {source, required} = bundleOf('runner.cjs');
  assert.ok(source.length < MAX_CHARACTERS, `${source.length} characters`);
  assert.ok(required.includes('node:fs'));
  assert.deepEqual(
    required.filter((name) => !isBuiltin(name)).toSorted(),
    [...Object.keys(AGENT_PROFILES), 'liquid']
      .filter((name) => name !== DEFAULT_KIND)
      .map((name) => `./runner-${name}.cjs`)
      .toSorted(),
  );
  assert.ok(!required.includes('node:http'), 'what serves tools over HTTP is not loaded');
  assert.doesNotMatch(source, /\bimport\(/);
  // One character beyond these makes V8 keep every other in two bytes.
  assert.doesNotMatch(source, /[\u0100-\uffff]/);
});

test('the code of another agent is in one file, too', () => {
  for (const kind of Object.keys(AGENT_PROFILES)) {
    if (kind === DEFAULT_KIND) continue;
    const {required} = bundleOf(`runner-${kind}.cjs`);
    assert.deepEqual(
      required.filter((name) => !isBuiltin(name)),
      [],
    );
  }
});
