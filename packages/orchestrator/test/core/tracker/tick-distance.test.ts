import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Effect} from '../../../src/core/effect.ts';
import {anIssue, aWorkflow, Table, timers} from '../builders.ts';

const CHANGED = {type: 'tracker.changed', project: 'p'} as const;
const LIST = {type: 'candidates.read', project: 'p', scope: 0} as const;
const FOUND = {ok: true, value: []} as const;
const DOWN = {ok: false, message: 'down', notBefore: null} as const;

/** A project without claims: its ticks are lists of candidates. The first one has just ended. */
function idle(intervalMs = 30_000): Table {
  const table = new Table();
  table.project({intervalMs}, []);
  return table;
}

function lists(effects: readonly Effect[]): number {
  return effects.filter((effect) => effect.do === 'read-candidates').length;
}

test('requests that come together are one tick, a second after the last one', () => {
  const table = idle();
  assert.equal(timers(table.happens(CHANGED))['poll p'], table.now + 1_000);
  for (let times = 0; times < 3; times++) assert.deepEqual(table.happens(CHANGED), []);
  table.later(1_000);
  assert.equal(lists(table.happens({type: 'timer.fired', timer: 'poll p'})), 1);
  table.happens({...LIST, answer: FOUND});
  table.later(1_000);
  assert.equal(lists(table.happens(CHANGED)), 1, 'after that second a request is a tick at once');
});

test('requests during a tick make one more, a second after it', () => {
  const table = idle();
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  for (let times = 0; times < 3; times++) assert.deepEqual(table.happens(CHANGED), []);
  table.later(500);
  const effects = table.happens({...LIST, answer: FOUND});
  assert.equal(timers(effects)['poll p'], table.now + 1_000);
});

test('a timer that fires during a tick, or twice, makes none', () => {
  const table = idle();
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  assert.deepEqual(table.happens({type: 'timer.fired', timer: 'poll p'}), []);
  const effects = table.happens({...LIST, answer: FOUND});
  assert.equal(timers(effects)['poll p'], table.now + 30_000);
});

test('polls keep their interval, and a request never puts one off', () => {
  const table = idle(100);
  assert.deepEqual(table.happens(CHANGED), []);
  table.later(100);
  assert.equal(lists(table.happens({type: 'timer.fired', timer: 'poll p'})), 1);
});

test('1 000 webhooks in ten seconds make at most twelve ticks', () => {
  const table = idle();
  let ticks = 0;
  let pollAt = Number.POSITIVE_INFINITY;
  const take = (effects: readonly Effect[]): void => {
    pollAt = timers(effects)['poll p'] ?? pollAt;
    if (lists(effects) === 0) return;
    ticks++;
    pollAt = Number.POSITIVE_INFINITY;
    take(table.happens({...LIST, answer: FOUND}));
  };
  for (let webhook = 0; webhook < 1_000; webhook++) {
    table.later(10);
    if (table.now >= pollAt) take(table.happens({type: 'timer.fired', timer: 'poll p'}));
    take(table.happens(CHANGED));
  }
  assert.ok(ticks >= 9 && ticks <= 12, `${ticks} ticks`);
});

test('after ticks that failed, a request waits longer each time, at most an interval', () => {
  const table = idle();
  const waits: number[] = [];
  for (let tick = 0; tick < 6; tick++) {
    table.later(30_000);
    table.happens({type: 'timer.fired', timer: 'poll p'});
    table.happens({...LIST, answer: DOWN});
    waits.push((timers(table.happens(CHANGED))['poll p'] ?? Number.NaN) - table.now);
  }
  assert.deepEqual(waits.slice(0, 4), [2_000, 4_000, 8_000, 16_000]);
  assert.ok(waits.slice(4).every(Number.isNaN), 'the poll comes as soon');
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({...LIST, answer: FOUND});
  assert.equal(timers(table.happens(CHANGED))['poll p'], table.now + 1_000);
});

test('a read of claimed issues that failed counts as well as a list', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer: DOWN});
  table.happens({...LIST, answer: FOUND});
  assert.equal(timers(table.happens(CHANGED))['poll p'], table.now + 2_000);
});

test('a clock that is set back does not keep a request waiting', () => {
  const table = idle();
  table.now -= 3_600_000;
  table.happens({type: 'clock.jumped', byMs: -3_600_000});
  assert.equal(timers(table.happens(CHANGED))['poll p'], table.now + 1_000);
});

test('another tracker is asked at once', () => {
  const table = idle();
  const workflow = aWorkflow({tracker: {provider: {project_slug: 'another'}}});
  assert.equal(lists(table.happens({type: 'project.loaded', workflow})), 1);
});
