import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {getDefaultHighWaterMark} from 'node:stream';
import {test} from 'node:test';
import {ending} from '../../../../test/rig/ending.ts';
import {readInBatches, withoutReadAhead} from '../../src/agent/wire/read-in-batches.ts';

/** Writes the next word only when it reads a line, and says on stderr that it was written. */
function aSpeaker(words: readonly string[]) {
  const script = words.map((word) => `read -r; echo ${word}; echo ${word} >&2`).join('; ');
  const child = withoutReadAhead(() => spawn('bash', ['-c', script], {stdio: 'pipe'}));
  const say = async () => {
    const written = once(child.stderr, 'data');
    child.stdin.write('\n');
    await written;
  };
  return {child, say};
}

test('after streamed text nothing is read for a while, then all of it at once', async (t) => {
  const words = ['one', 'two', 'three', 'four', 'five'];
  const {child, say} = aSpeaker(words);
  await using _end = ending(child);
  t.mock.timers.enable({apis: ['setTimeout']});
  const batches: string[] = [];
  readInBatches(child.stdout, (batch) => batches.push(batch.toString()) > 0);
  for (const _ of words) await say();
  assert.deepEqual(batches, ['one\n'], 'the rest is not read');
  // The pipe holds one read; the others follow together.
  const follows = once(child.stdout, 'readable');
  t.mock.timers.tick(40);
  assert.deepEqual(batches, ['one\n', 'two\n']);
  await follows;
  t.mock.timers.tick(40);
  assert.deepEqual(batches, ['one\n', 'two\n', 'three\nfour\nfive\n']);
});

test('anything else is read as it comes', async () => {
  const words = ['one', 'two', 'three'];
  const {child, say} = aSpeaker(words);
  await using _end = ending(child);
  const batches: string[] = [];
  let onBatch = () => {};
  readInBatches(child.stdout, (batch) => {
    batches.push(batch.toString());
    onBatch();
    return false;
  });
  for (const _ of words) {
    const read = new Promise<void>((resolve) => {
      onBatch = resolve;
    });
    await Promise.all([say(), read]);
  }
  assert.deepEqual(batches, ['one\n', 'two\n', 'three\n']);
});

test('the last words are read although the process is gone', async () => {
  const child = withoutReadAhead(() => spawn('bash', ['-c', 'echo one; sleep 0.02; echo last']));
  await using _end = ending(child);
  let said = '';
  readInBatches(child.stdout, (batch) => {
    said += batch.toString();
    return true;
  });
  await once(child.stdout, 'close');
  assert.equal(said, 'one\nlast\n');
});

test('a pipe that is destroyed during a pause stays so', async () => {
  const child = withoutReadAhead(() => spawn('bash', ['-c', 'echo one; read -r'], {stdio: 'pipe'}));
  await using _end = ending(child);
  await new Promise<void>((resolve) => {
    readInBatches(child.stdout, () => {
      resolve();
      return true;
    });
  });
  child.stdout.destroy();
  child.stdin.end();
  await once(child, 'close');
  assert.ok(child.stdout.destroyed);
});

test('only the pipes of that process are small', () => {
  const usual = getDefaultHighWaterMark(false);
  assert.equal(
    withoutReadAhead(() => getDefaultHighWaterMark(false)),
    1,
  );
  assert.equal(getDefaultHighWaterMark(false), usual);
  const failing = () => withoutReadAhead(() => assert.fail('it cannot be started'));
  assert.throws(failing, /cannot be started/);
  assert.equal(getDefaultHighWaterMark(false), usual, 'also after a failure');
});
