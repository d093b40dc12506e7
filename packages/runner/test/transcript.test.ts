import assert from 'node:assert/strict';
import {readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../test/rig/fixtures/folder.ts';
import {Transcript} from '../src/transcript/transcript.ts';

function aTranscript(path: string, maxBytes = 1_000_000) {
  const troubles: string[] = [];
  const onTrouble = (message: string) => void troubles.push(message);
  const transcript = new Transcript(path, {maxBytes, mask: (text) => text, onTrouble});
  return {transcript, troubles};
}

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('beyond its limit the beginning and the end are kept, with a line that says what is missing', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'runs', 'a.jsonl');
  const limit = 200_000;
  const {transcript, troubles} = aTranscript(path, limit);
  let largest = 0;
  for (let nth = 0; nth < 2000; nth++) {
    transcript.event('said', {nth, text: 'x'.repeat(1000)});
    largest = Math.max(largest, (await stat(path)).size);
  }
  transcript.event('last');
  transcript.close();
  assert.ok(largest <= limit, `${largest} bytes`);
  const lines = await linesOf(path);
  const numbers = lines.flatMap(({nth}) => (typeof nth === 'number' ? nth : []));
  const gap = lines.findIndex(({ev}) => ev === 'transcript_cut');
  assert.deepEqual([lines[0]?.ev, lines[1]?.nth, lines.at(-1)?.ev], ['run', 0, 'last']);
  assert.deepEqual(numbers.slice(0, gap - 1), [...Array(gap - 1).keys()]);
  const after = numbers.slice(gap - 1);
  assert.deepEqual(
    after,
    [...Array(after.length).keys()].map((n) => 2000 - after.length + n),
  );
  assert.ok(gap > 20 && after.length > 40, `${gap} before it, ${after.length} after it`);
  assert.equal(lines.filter(({ev}) => ev === 'transcript_cut').length, 1);
  const missing = (2000 - numbers.length) * 1000;
  assert.ok(Number(lines[gap]?.bytes) >= missing);
  assert.deepEqual(await readdir(join(folder.path, 'runs')), ['a.jsonl']);
  assert.deepEqual(troubles, []);
});

test('a line that alone is too long is left out, and those around it are kept', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'a.jsonl');
  const {transcript} = aTranscript(path, 200_000);
  transcript.event('before');
  transcript.event('long', {text: 'x'.repeat(60_000)});
  transcript.event('after');
  transcript.close();
  const lines = await linesOf(path);
  assert.deepEqual(
    lines.map(({ev}) => ev),
    ['run', 'before', 'transcript_cut', 'after'],
  );
  assert.ok(Number(lines[2]?.bytes) > 60_000);
});

test('streamed text is joined by method and item, and its last word waits for what may follow', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'a.jsonl');
  const {transcript} = aTranscript(path);
  const says = (method: string, itemId: unknown, delta: string) =>
    transcript.delta(method, {threadId: 't', itemId, delta}, delta);
  says('message', 'm1', 'one ');
  says('message', 'm1', 'two');
  says('message', 'm2', 'other');
  says('output', 'm2', 'ls');
  says('message', 'm1', 'fold ');
  says('message', 'm1', 'thr');
  transcript.message('->', '{"method":"between"}');
  says('message', 'm2', ' words ');
  says('message', 'm1', 'ee');
  transcript.message('<-', '{"method":"m1 has ended"}', 'm1');
  says('message', 'm1', 'again');
  says('message', 'm1', '!');
  transcript.close();
  const heard = (await linesOf(path)).slice(1).map(({msg}) => {
    const {method, params} = msg as {method: string; params?: Record<string, unknown>};
    return params === undefined ? method : `${method} ${params.itemId}: ${params.delta}`;
  });
  assert.deepEqual(heard, [
    'message m1: one twofold ',
    'between',
    'message m1: three',
    'message m2: other words ',
    'm1 has ended',
    'output m2: ls',
    'message m1: again!',
  ]);
});

test('where it cannot be written the run continues, and that is told once', async () => {
  await using folder = await aFolder();
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  const {transcript, troubles} = aTranscript(join(file, 'a.jsonl'));
  transcript.event('one');
  transcript.close();
  assert.equal(troubles.length, 1);
  assert.match(troubles[0] ?? '', /^the transcript cannot be written: (EEXIST|ENOTDIR)/);
});

test('a disk that fills up while it is written is told once', {
  skip: process.platform === 'linux' ? false : 'there is no /dev/full',
}, () => {
  const {transcript, troubles} = aTranscript('/dev/full');
  for (let nth = 0; nth < 5; nth++) transcript.event('long', {text: 'x'.repeat(200_000)});
  transcript.close();
  assert.deepEqual(troubles, [
    'the transcript cannot be written: ENOSPC: no space left on device, write',
  ]);
});

test('an item can have any name', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'a.jsonl');
  const {transcript} = aTranscript(path);
  const itemId = {toString: 1};
  transcript.delta('message', {itemId, delta: 'all of it'}, 'all of it');
  transcript.close();
  assert.deepEqual((await linesOf(path)).at(-1)?.msg, {
    method: 'message',
    params: {itemId, delta: 'all of it'},
  });
});
