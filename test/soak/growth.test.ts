import assert from 'node:assert/strict';
import {test} from 'node:test';
import {growthOf, type Reading, verdictOn} from './growth.ts';

const FLAT = {timers: 3, handles: 5, files: 30, listeners: 8, heapKb: 20_000, rssKb: 90_000};

function readings(change: (round: number) => Partial<Reading>): Reading[] {
  return Array.from({length: 9}, (_, round) => ({runs: round * 30, ...FLAT, ...change(round)}));
}

test('what stays as it is, or only wavers, is no complaint', () => {
  const wavering = readings((round) => ({
    heapKb: 20_000 + (round % 2) * 500,
    files: 30 + (round % 3),
  }));
  assert.deepEqual(verdictOn(growthOf(wavering)), []);
});

test('whatever grows with the runs is told by name', () => {
  for (const name of ['timers', 'handles', 'files', 'listeners'] as const) {
    const leaking = readings((round) => ({[name]: 10 + round * 2}));
    assert.deepEqual(verdictOn(growthOf(leaking)), [`${name} by 12`]);
  }
  const fat = readings((round) => ({heapKb: 20_000 + round * 30 * 50}));
  assert.deepEqual(verdictOn(growthOf(fat)), ['the heap by 50 kB a run']);
});
