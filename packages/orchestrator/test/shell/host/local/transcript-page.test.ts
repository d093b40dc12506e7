import assert from 'node:assert/strict';
import {open, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {findPage} from '../../../../src/shell/host/local/transcript-page.ts';
import type {PageWish} from '../../../../src/shell/host/transcripts.ts';

async function page(content: string, wish: Partial<PageWish>): Promise<string> {
  await using folder = await aFolder();
  const path = join(folder.path, 'transcript');
  await writeFile(path, content);
  const file = await open(path);
  try {
    const {start, end, size} = await findPage(file, {offset: 0, limit: null, tail: null, ...wish});
    assert.ok(0 <= start && start <= end && end <= size, `${start} ${end} ${size}`);
    return Buffer.from(content).subarray(start, end).toString();
  } finally {
    await file.close();
  }
}

const LINES = 'one\ntwo\nthree\n';

test('without wishes: everything, up to the last whole line', async () => {
  assert.equal(await page(LINES, {}), LINES);
  assert.equal(await page(`${LINES}fou`, {}), LINES);
  assert.equal(await page('', {}), '');
  assert.equal(await page('half a line', {}), '');
});

test('an offset within a line begins with the next one', async () => {
  assert.equal(await page(LINES, {offset: 4}), 'two\nthree\n');
  assert.equal(await page(LINES, {offset: 5}), 'three\n');
  assert.equal(await page(LINES, {offset: 14}), '');
  assert.equal(await page(LINES, {offset: 1_000_000}), '');
});

test('a limit within a line still brings the whole line', async () => {
  assert.equal(await page(LINES, {limit: 1}), 'one\n');
  assert.equal(await page(LINES, {limit: 4}), 'one\n');
  assert.equal(await page(LINES, {limit: 5}), 'one\ntwo\n');
  assert.equal(await page(LINES, {offset: 4, limit: 1}), 'two\n');
  assert.equal(await page(LINES, {limit: 1000}), LINES);
});

test('the tail is counted in lines, and whole ones only', async () => {
  assert.equal(await page(`${LINES}fou`, {tail: 2}), 'two\nthree\n');
  assert.equal(await page(LINES, {tail: 100}), LINES);
  assert.equal(await page(LINES, {tail: 0}), '');
  assert.equal(await page(LINES, {tail: 2, offset: 8}), 'three\n');
});

test('lines of any length, over any number of blocks', async () => {
  const long = `${'x'.repeat(200_000)}\n`;
  const content = `short\n${long}${long}short\n`;
  assert.equal(await page(content, {offset: 6, limit: 10}), long);
  assert.equal(await page(content, {tail: 2}), `${long}short\n`);
  assert.equal(await page(content, {offset: 70_000, limit: 10}), long);
});

test('page after page is the whole file', async () => {
  const content = Array.from({length: 500}, (_, n) => `${'x'.repeat((n * 37) % 900)}\n`).join('');
  await using folder = await aFolder();
  const path = join(folder.path, 'transcript');
  await writeFile(path, content);
  const file = await open(path);
  let seen = '';
  for (let offset = 0, size = 1; offset < size; ) {
    const found = await findPage(file, {offset, limit: 5000, tail: null});
    assert.equal(found.start, offset);
    seen += content.slice(found.start, found.end);
    ({end: offset, size} = found);
  }
  await file.close();
  assert.equal(seen, content);
});
