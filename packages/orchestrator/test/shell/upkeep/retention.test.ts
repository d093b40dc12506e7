import assert from 'node:assert/strict';
import {mkdir, readdir, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../../test/rig/fixtures/folder.ts';
import {TranscriptFolder} from '../../../src/shell/host/local/transcript-folder.ts';
import {letGoOfOld} from '../../../src/shell/upkeep/retention.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.parse('2030-01-01T00:00:00Z');

async function aTranscript(folder: string, name: string, daysOld: number): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, '{}\n');
  const at = new Date(NOW - daysOld * DAY_MS);
  await utimes(path, at, at);
}

test('old transcripts go, with the runs they belong to; those of live runs stay', async () => {
  await using logs = await aFolder();
  const folder = join(logs.path, 'runs');
  await mkdir(folder);
  await aTranscript(folder, 'life-1.jsonl', 31);
  await aTranscript(folder, 'life-2.jsonl', 31);
  await aTranscript(folder, 'life-3.jsonl', 29);
  await aTranscript(folder, 'life-4.jsonl', 1);
  await aTranscript(folder, 'life-job-1.jsonl', 3);
  await aTranscript(folder, 'life-job-2.jsonl', 1);
  await aTranscript(folder, 'notes.txt', 400);
  const lines: string[] = [];
  await letGoOfOld(
    {
      store: {prune: () => ({runs: [{key: 'p/1', runId: 'life-4'}], actions: 0})},
      transcripts: new TranscriptFolder(logs.path),
      isLive: (runId) => runId === 'life-2',
      log: (_level, _fields, message) => lines.push(message),
    },
    NOW,
  );
  assert.deepEqual((await readdir(folder)).toSorted(), [
    'life-2.jsonl',
    'life-3.jsonl',
    'life-job-2.jsonl',
    'notes.txt',
  ]);
  assert.deepEqual(lines, ['history.pruned']);
});

test('a store that cannot be pruned is a warning, and no more', async () => {
  const lines: string[] = [];
  const transcripts = new TranscriptFolder('/nowhere');
  const prune = () => {
    throw new Error('disk full');
  };
  const log = (_level: string, {reason}: Readonly<Record<string, unknown>>) =>
    lines.push(String(reason));
  await letGoOfOld({store: {prune}, transcripts, isLive: () => false, log}, NOW);
  assert.match(lines.join(), /disk full/);
});
