import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import {ConcurrencyLimit} from '../../../src/shell/runners/concurrency-limit.ts';

/** Work that ends when it is told to. */
function jobs(limit: ConcurrencyLimit) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (name: string) =>
    limit.run(() => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await turn();
  };
  return {begun, run, end};
}

test('no more work at a time than the limit, and the rest in FIFO order', async () => {
  const {begun, run, end} = jobs(new ConcurrencyLimit(2));
  const all = Promise.all(['a', 'b', 'c', 'd'].map(run));
  assert.deepEqual(begun, ['a', 'b']);
  await end('b');
  assert.deepEqual(begun, ['a', 'b', 'c']);
  await end('a');
  await end('c');
  await end('d');
  assert.deepEqual(await all, ['a', 'b', 'c', 'd']);
  void run('e');
  void run('f');
  void run('g');
  assert.deepEqual(begun.slice(4), ['e', 'f'], 'both are free again');
});

test('the next work starts after one that failed', async () => {
  const {begun, run, end} = jobs(new ConcurrencyLimit(1));
  const failing = assert.rejects(run('a'), /no/);
  void run('b');
  await end('a', new Error('no'));
  await failing;
  assert.deepEqual(begun, ['a', 'b']);
});
