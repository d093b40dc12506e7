import assert from 'node:assert/strict';
import {test} from 'node:test';
import {keepSame} from '../../src/dashboard/live/keep-same.ts';
import {ServerClock} from '../../src/dashboard/live/server-clock.ts';
import {throughput, tokenRate} from '../../src/dashboard/overview/throughput.ts';
import {isWebAddress} from '../../src/dashboard/parts/web-address.ts';
import {AT, aHeld, aRun, aRunning, aSnapshot, at} from '../view/a-snapshot.ts';

test('a snapshot that was made long ago does not set the clock back', () => {
  const clock = new ServerClock();
  clock.hear(AT - 20_000, 1000); // made 20 s before it was sent
  clock.hear(AT, 1000); // the answer's own date
  clock.hear(AT - 3000, 2000);
  assert.equal(clock.now(5000), AT + 4000);
  clock.hear(Number.NaN, 0);
  assert.equal(clock.now(5000), AT + 4000);
  clock.forget();
  assert.equal(clock.now(5000), 5000);
});

test('only what changed is new, also when rows come and go', () => {
  const last = aSnapshot({running: [aRunning('A'), aRunning('B')], held: [aHeld('H')]});
  const running = [aRunning('B'), aRunning('C'), aRunning('A', {turn_count: 2})];
  const next = keepSame(last, aSnapshot({running, held: [aHeld('H')]}));
  assert.equal(next.held, last.held);
  assert.equal(next.running[0], last.running[1]);
  assert.notEqual(next.running[2], last.running[0]);
  assert.equal(next.running[2]?.turn_count, 2);
  assert.deepEqual(next, aSnapshot({running, held: [aHeld('H')]}));
  assert.equal(keepSame(last, structuredClone(last)), last);
});

test('runs are counted where they ended, and by how', () => {
  const runs = [
    aRun(at(-60_000)),
    aRun(at(-61_000), {outcome: 'failed'}),
    aRun(at(-5 * 3_600_000), {outcome: 'input_required'}),
    aRun(at(-30 * 3_600_000)),
  ];
  const {title, buckets} = throughput(runs, 200, AT);
  assert.equal(title, 'last 24 hours');
  assert.deepEqual(buckets[22]?.counts, {good: 1, bad: 1, warn: 0, plain: 0});
  assert.equal(buckets[22]?.tokens, 200);
  assert.equal(buckets[18]?.counts.warn, 1);
  const all = buckets.flatMap(({counts}) => Object.values(counts));
  assert.equal(
    all.reduce((sum, n) => sum + n, 0),
    3,
  );
});

test('a list of runs that was cut gets a window that it fills', () => {
  const runs = Array.from({length: 100}, (_, index) => aRun(at(-index * 4 * 60_000)));
  assert.equal(throughput(runs, 100, AT).title, 'last 6 hours');
  assert.equal(throughput(runs, 200, AT).title, 'last 24 hours');
  const busy = Array.from({length: 100}, (_, index) => aRun(at(-index * 1000)));
  assert.equal(throughput(busy, 100, AT).title, 'last 24 minutes');
  assert.equal(throughput([], 100, AT).buckets.length, 24);
});

test('the rate of tokens is of the last minutes', () => {
  const points = [
    {at: AT - 3_600_000, total: 0},
    {at: AT - 60_000, total: 1000},
    {at: AT - 1000, total: 3000},
  ];
  assert.equal(tokenRate(points, AT), 2000);
  assert.equal(tokenRate(points, AT + 3_600_000), 0);
  assert.equal(tokenRate([], AT), null);
  assert.equal(tokenRate([{at: AT, total: 5}], AT + 1000), null);
});

test('only addresses of the web are links', () => {
  const yes = ['https://x.example/1', 'http://x', 'HTTPS://X'];
  const no = [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//x',
    'x',
    '',
    'file:///x',
  ];
  assert.deepEqual([...yes, ...no].filter(isWebAddress), yes);
});
