import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {ROOT} from '../testing/suites.ts';

/** A folder is read as a list, and a file as one idea. */
const MAX_FILES = 15;
const MAX_LINES = 260;

/** What is still larger, and how much larger it may be. The lists only shrink: what fits is taken off. */
const LARGER_FOLDERS: Readonly<Record<string, number>> = {};
const LONGER_FILES: Readonly<Record<string, number>> = {};

/** Sentences name who acts: the caller, the tracker, the operator, the runner. */
const ACTORS_WITHOUT_NAME = /\b(?:whoever|somebody|nobody|anybody)\b/gi;
/** Room for quotations, such as the name of the system user `nobody`. */
const MAX_WITHOUT_NAME = 19;

const sources = filesOf(':(glob)packages/*/src/**', 'scripts', ':!scripts/test').filter((path) =>
  /\.(?:tsx?|mjs|css)$/.test(path),
);

test('the sources of every package are looked at', () => {
  for (const name of ['orchestrator', 'protocol', 'runner', 'tracker']) {
    assert.ok(
      sources.some((path) => path.startsWith(`packages/${name}/src/`)),
      name,
    );
  }
});

test('a folder of sources holds few enough files to be read as a list', () => {
  const counts = new Map<string, number>();
  for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  assertWithin(counts, MAX_FILES, LARGER_FOLDERS);
});

test('a source file is short enough to hold one idea', () => {
  const lines = new Map(sources.map((path) => [path, textOf(path).split('\n').length - 1]));
  assertWithin(lines, MAX_LINES, LONGER_FILES);
});

test('sources and pages name who acts', () => {
  const found = [...sources, ...filesOf('docs', ':(glob)*.md')].flatMap((path) =>
    (textOf(path).match(ACTORS_WITHOUT_NAME) ?? []).map((word) => `${path}: ${word}`),
  );
  assert.ok(found.length <= MAX_WITHOUT_NAME, `${found.length} places\n${found.join('\n')}`);
});

function assertWithin(
  sizes: ReadonlyMap<string, number>,
  limit: number,
  exceptions: Readonly<Record<string, number>>,
): void {
  const tooLarge = [...sizes].filter(([path, size]) => size > (exceptions[path] ?? limit));
  assert.deepEqual(tooLarge, [], `more than ${limit}: divide by what happens in them`);
  const fitting = Object.keys(exceptions).filter((path) => (sizes.get(path) ?? 0) <= limit);
  assert.deepEqual(fitting, [], 'no longer larger: take them off the list');
}

/** Tracked files and new ones; not those whose removal is not committed yet. */
function filesOf(...pathspecs: readonly string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...pathspecs];
  const listed = execFileSync('git', args, {cwd: ROOT, encoding: 'utf8'}).trimEnd().split('\n');
  return [...new Set(listed)].filter((path) => existsSync(join(ROOT, path)));
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
