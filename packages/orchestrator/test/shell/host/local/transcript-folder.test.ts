import assert from 'node:assert/strict';
import {mkdir, readdir, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../../../test/rig/fixtures/folder.ts';
import {TranscriptFolder} from '../../../../src/shell/host/local/transcript-folder.ts';

/** A log of 100 bytes, and transcripts of 1000, the first the oldest. */
async function someLogs(root: string, names: readonly string[]): Promise<void> {
  await mkdir(join(root, 'runs'), {recursive: true});
  await writeFile(join(root, 'symphony.log'), 'x'.repeat(100));
  for (const [index, name] of names.entries()) {
    const path = join(root, 'runs', name);
    await writeFile(path, 'x'.repeat(1000));
    await utimes(path, 1_000_000 + index, 1_000_000 + index);
  }
}

const left = async (root: string) => (await readdir(join(root, 'runs'))).toSorted();
const none = () => false;

test('the oldest transcripts go until the sum is kept, and no more', async () => {
  await using folder = await aFolder();
  const root = folder.path;
  await someLogs(root, ['a-2.jsonl', 'a-10.jsonl', 'a-1.jsonl', 'a-3.jsonl.new', 'notes.txt']);
  const logs = new TranscriptFolder(root);
  assert.deepEqual(await logs.keepBelow(4100, none), {transcripts: 0, bytes: 0});
  assert.deepEqual(await logs.keepBelow(2100, none), {transcripts: 2, bytes: 2000});
  assert.deepEqual(await left(root), ['a-1.jsonl', 'a-3.jsonl.new', 'notes.txt']);
  assert.deepEqual(await logs.keepBelow(-1, none), {transcripts: 2, bytes: 2000});
  assert.deepEqual(await left(root), ['notes.txt']);
});

test('files of runs under way are neither counted nor deleted', async () => {
  await using folder = await aFolder();
  await someLogs(folder.path, ['live.jsonl', 'live.jsonl.new', 'ended.jsonl']);
  const logs = new TranscriptFolder(folder.path);
  const isLive = (runId: string) => runId === 'live';
  assert.deepEqual(await logs.keepBelow(1100, isLive), {transcripts: 0, bytes: 0});
  assert.deepEqual(await logs.keepBelow(0, isLive), {transcripts: 1, bytes: 1000});
  // It has grown since: what is remembered of a run is from after its end.
  await writeFile(join(folder.path, 'runs', 'live.jsonl'), 'x'.repeat(5000));
  assert.deepEqual(await logs.keepBelow(6100, none), {transcripts: 0, bytes: 0});
  assert.deepEqual(await logs.keepBelow(6099, none), {transcripts: 1, bytes: 1000});
});

test('calls at the same time do not delete twice as much', async () => {
  await using folder = await aFolder();
  await someLogs(folder.path, ['1.jsonl', '2.jsonl', '3.jsonl', '4.jsonl']);
  const logs = new TranscriptFolder(folder.path);
  const {dev} = await stat(folder.path);
  await Promise.all([logs.keepBelow(3100, none), logs.keepBelow(3100, none)]);
  assert.deepEqual(await left(folder.path), ['2.jsonl', '3.jsonl', '4.jsonl']);
  assert.deepEqual(await logs.giveBack(1500, dev, none), {transcripts: 2, bytes: 2000});
  assert.deepEqual(await left(folder.path), ['4.jsonl']);
});

test('a disk that is short of room elsewhere costs no transcript', async () => {
  await using folder = await aFolder();
  await someLogs(folder.path, ['1.jsonl']);
  const logs = new TranscriptFolder(folder.path);
  const {dev} = await stat(folder.path);
  assert.deepEqual(await logs.giveBack(1, dev + 1, none), {transcripts: 0, bytes: 0});
  const nowhere = new TranscriptFolder(join(folder.path, 'not-yet'));
  assert.deepEqual(await nowhere.giveBack(1, dev, none), {transcripts: 0, bytes: 0});
  assert.deepEqual(await nowhere.keepBelow(0, none), {transcripts: 0, bytes: 0});
});
