import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {PassThrough} from 'node:stream';
import {test} from 'node:test';
import {ending} from '../../../test/rig/ending.ts';
import {restFrom} from '../src/agent/wire/rest.ts';

test('what is said during a rest is heard in one piece after it', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  // Says the next word only when told: two that come apart.
  const script = 'echo one; read -r; echo two; echo two >&2; read -r; echo three; echo three >&2';
  const child = spawn('bash', ['-c', script], {stdio: 'pipe'});
  await using _end = ending(child);
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk.toString());
    if (chunks.length === 1) restFrom(child.stdout, 40);
  });
  await once(child.stdout, 'data');
  for (const _ of ['two', 'three']) {
    child.stdin.write('\n');
    await once(child.stderr, 'data');
  }
  assert.deepEqual(chunks, ['one\n']);
  t.mock.timers.tick(40);
  await once(child, 'close');
  assert.deepEqual(chunks, ['one\n', 'two\nthree\n']);
});

test('a pipe that is destroyed meanwhile stays so', async () => {
  const child = spawn('bash', ['-c', 'echo one; read -r'], {stdio: 'pipe'});
  await using _end = ending(child);
  await once(child.stdout, 'data');
  restFrom(child.stdout, 1);
  child.stdout.destroy();
  child.stdin.end();
  await once(child, 'close');
  assert.ok(child.stdout.destroyed);
});

test('a stream with nothing beneath it goes on', async () => {
  const stream = new PassThrough();
  restFrom(stream, 60_000);
  stream.end('heard');
  assert.equal(String((await once(stream, 'data'))[0]), 'heard');
});
