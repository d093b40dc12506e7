import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

// The first request to a tracker waits until all of this is loaded.

const DIST = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));

test('a start loads neither what serves HTTP nor what speaks to trackers', () => {
  const all = loadedWith('main.js', chunk('supervise-'));
  assert.ok(all.sources.some((path) => path.endsWith('orchestrator/src/shell/supervisor.ts')));
  for (const name of ['fastify', 'graphql', 'liquidjs', 'pino-pretty', 'prom-client', 'undici']) {
    assert.ok(!all.packages.has(name), name);
  }
  assert.deepEqual(
    all.sources.filter((path) => /orchestrator\/src\/(terminal|http\/listener)/.test(path)),
    [],
  );
});

test('the tracker thread loads one adapter, and nothing that is for the main thread', () => {
  const thread = loadedWith('tracker-thread.js');
  assert.deepEqual([...thread.packages].sort(), ['comlink', 'zod']);
  assert.deepEqual(adaptersIn(thread.sources), []);
  const linear = loadedWith('tracker-thread.js', chunkOf('tracker/src/linear/adapter.ts'));
  assert.deepEqual([...linear.packages].sort(), ['comlink', 'undici', 'zod']);
  assert.deepEqual(adaptersIn(linear.sources), ['linear']);
  const others = linear.sources.filter((path) => /orchestrator\/src|protocol\/src\/run/.test(path));
  assert.deepEqual(others, []);
});

test('what fastify would compile schemas with is not there, because nothing asks for it', () => {
  const {packages} = loadedWith(...chunks());
  assert.ok(packages.has('fastify'));
  assert.deepEqual(
    [...packages].filter((name) => /ajv|compiler/.test(name)),
    [],
  );
  const asking = chunks().filter((name) => /@fastify\/\S+-compiler/.test(textOf(name)));
  assert.deepEqual(asking, [chunkOf('orchestrator/src/http/listener.ts')]);
});

interface Loaded {
  /** Of which the files are made. */
  readonly sources: readonly string[];
  readonly packages: ReadonlySet<string>;
}

/** With these files come those that they import at once. */
function loadedWith(...entries: readonly string[]): Loaded {
  const files = new Set<string>();
  const load = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    const text = readFileSync(path, 'utf8');
    for (const [, from, bare] of text.matchAll(
      /^(?:import|export|\}).* from "(\.[^"]+)"|^import "(\.[^"]+)"/gm,
    )) {
      load(join(dirname(path), from ?? bare ?? ''));
    }
  };
  for (const entry of entries) load(join(DIST, entry));
  const sources = [...files].flatMap(sourcesOf);
  const packages = sources.flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return {sources, packages: new Set(packages)};
}

function textOf(name: string): string {
  return readFileSync(join(DIST, name), 'utf8');
}

function sourcesOf(path: string): string[] {
  const {sources} = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as {sources: string[]};
  return sources.map((source) => join(dirname(path), source));
}

function chunk(prefix: string): string {
  const found = chunks().filter((name) => name.startsWith(`chunks/${prefix}`));
  assert.equal(found.length, 1, found.join(', '));
  return found[0] ?? '';
}

/** The only one that the file is in. */
function chunkOf(source: string): string {
  const found = chunks().filter((name) =>
    sourcesOf(join(DIST, name)).some((path) => path.endsWith(source)),
  );
  assert.equal(found.length, 1, found.join(', '));
  return found[0] ?? '';
}

function chunks(): string[] {
  const names = readdirSync(join(DIST, 'chunks')).filter((name) => name.endsWith('.js'));
  return names.map((name) => `chunks/${name}`);
}

function adaptersIn(sources: readonly string[]): string[] {
  return sources.flatMap((path) => /tracker\/src\/(\w+)\/adapter\.ts$/.exec(path)?.[1] ?? []);
}
