import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {PROFILES} from '@symphony-supervisor/tracker';
import {addressOf, PAGES, trackerPage} from '../../packages/orchestrator/src/cli/documentation.ts';
import {allPages, anchorsOf, placeOf, ROOT, readPage} from './reader/markdown.ts';

const pages = allPages();
const links = pages.flatMap((page) => page.links);

/** The addresses of our own files, as a page has them that is read elsewhere. */
const HOME = 'https://github.com/symphony-supervisor/symphony-supervisor/blob/main/';

test('every link leads to a file that there is, and to a heading in it', () => {
  assert.ok(links.length > 50, `only ${links.length} links were found`);
  const dead = links.flatMap((link) => {
    const isOurs = link.text.startsWith(HOME);
    if (/^https:/.test(link.text) && !isOurs) return [];
    const [target = '', anchor] = link.text.replace(HOME, '').split('#', 2);
    const folder = isOurs ? '' : dirname(link.page);
    const path = target === '' ? link.page : join(folder, target);
    if (!existsSync(join(ROOT, path))) return `${placeOf(link)}: there is no ${path}`;
    if (anchor === undefined || anchorsOf(readPage(path)).has(anchor)) return [];
    return `${placeOf(link)}: ${path} has no heading #${anchor}`;
  });
  assert.deepEqual(dead, []);
});

test('every page of the docs is reached from their index', () => {
  const index = readPage('docs/README.md').links.map(({text}) => join('docs', text));
  const lost = pages.filter(({path}) => path.startsWith('docs/') && !index.includes(path));
  assert.deepEqual(
    lost.map(({path}) => path),
    ['docs/README.md'],
  );
});

test('a page that is read outside of the repository has no relative links', () => {
  const relative = readPage('packages/orchestrator/README.md').links.filter(
    ({text}) => !text.startsWith('https://'),
  );
  assert.deepEqual(relative, []);
});

test('every page that a message names exists', () => {
  const named = [
    ...(Object.keys(PAGES) as (keyof typeof PAGES)[]).map(addressOf),
    ...Object.keys(PROFILES).map(trackerPage),
  ];
  assert.ok(named.length > 5);
  for (const address of named) {
    assert.ok(address.startsWith(HOME), address);
    assert.ok(existsSync(join(ROOT, address.replace(HOME, ''))), address);
  }
});
