import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {allPages, anchorsOf, placeOf, ROOT, readPage} from './markdown.ts';

const pages = allPages();
const links = pages.flatMap((page) => page.links);

test('every link leads to a file that there is, and to a heading in it', () => {
  assert.ok(links.length > 50, `only ${links.length} links were found`);
  const dead = links.flatMap((link) => {
    if (/^https:/.test(link.text)) return [];
    const [target = '', anchor] = link.text.split('#', 2);
    const path = target === '' ? link.page : join(dirname(link.page), target);
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
