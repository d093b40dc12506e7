import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as turn} from 'node:timers/promises';
import {Lanes} from '../../../src/shell/runners/lanes.ts';

/** Work that ends when it is told to. */
function jobs(lanes: Lanes) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (name: string) =>
    lanes.run(() => {
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

test('so many at a time, and the rest in order', async () => {
  const {begun, run, end} = jobs(new Lanes(2));
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
  assert.deepEqual(begun.slice(4), ['e', 'f'], 'both lanes are free again');
});

test('work that fails leaves its lane to the next', async () => {
  const {begun, run, end} = jobs(new Lanes(1));
  const failing = assert.rejects(run('a'), /no/);
  void run('b');
  await end('a', new Error('no'));
  await failing;
  assert.deepEqual(begun, ['a', 'b']);
});
