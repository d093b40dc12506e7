import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const RUNNER = fileURLToPath(
  new URL('../../packages/orchestrator/dist/runner.js', import.meta.url),
);
/** Well beyond what it needs. Compiling this is most of what the start of a run takes beyond Node's own. */
const MAX_CHARACTERS = 300_000;
const STATIC_IMPORT = /(?:^|;)\s*(?:import|export)\s*(?:[^"'();]*?\bfrom\s*)?"(\.[^"]+)"/gm;

/** A file of the bundle and all that is loaded with it at once; `import()` is for later. */
function loadedWith(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found;
  const source = readFileSync(path, 'utf8');
  found.set(path, source);
  for (const [, name] of source.matchAll(STATIC_IMPORT)) {
    loadedWith(join(dirname(path), name ?? ''), found);
  }
  return found;
}

test('a runner loads its own code and little else', () => {
  const files = loadedWith(RUNNER);
  assert.ok(files.size > 1, 'no chunk of the bundle was found');
  const characters = [...files.values()].reduce((sum, source) => sum + source.length, 0);
  assert.ok(characters < MAX_CHARACTERS, `${characters} characters in ${files.size} files`);
});
