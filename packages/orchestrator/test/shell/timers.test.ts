import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Timers} from '../../src/shell/timers.ts';
import {FakeClock} from './fake-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function scene() {
  const clock = new FakeClock();
  const start = clock.now();
  const fired: string[] = [];
  const note = (name: string) => fired.push(`${name} at ${clock.now() - start}`);
  return {clock, start, fired, timers: new Timers(note, clock)};
}

test('a timer fires once, when it is due', () => {
  const {clock, start, fired, timers} = scene();
  timers.set('b', start + 2_000);
  timers.set('a', start + 500.5);
  clock.pass(500);
  assert.deepEqual(fired, []);
  clock.pass(DAY);
  assert.deepEqual(fired, ['a at 501', 'b at 2000']);
  assert.equal(clock.pending, 0, 'with no timer left, something still waits');
});

test('a new timer replaces the old one of its name, sooner or later', () => {
  const {clock, start, fired, timers} = scene();
  timers.set('later', start + 1_000);
  timers.set('later', start + 3_000);
  timers.set('sooner', start + 9_000);
  timers.set('sooner', start + 2_000);
  clock.pass(DAY);
  assert.deepEqual(fired, ['sooner at 2000', 'later at 3000']);
});

test('one that fired is set no more, until there is a new one of its name', () => {
  const {clock, start, timers} = scene();
  timers.set('a', start + 1_000);
  assert.equal(timers.isSet('a'), true);
  clock.pass(1_000);
  assert.equal(timers.isSet('a'), false);
  timers.set('a', start + 2_000);
  assert.equal(timers.isSet('a'), true);
});

test('once disposed of they take no new timer: nothing keeps the process alive', () => {
  const {clock, start, timers} = scene();
  timers[Symbol.dispose]();
  timers.set('late', start + HOUR);
  assert.equal(clock.pending, 0);
});

test('what is cleared or disposed of does not fire', () => {
  const {clock, start, fired, timers} = scene();
  timers.set('cleared', start + 1_000);
  timers.set('kept', start + 2_000);
  timers.clear('cleared');
  timers.clear('never set');
  clock.pass(3_000);
  timers.set('disposed', start + 4_000);
  timers[Symbol.dispose]();
  clock.pass(DAY);
  assert.deepEqual(fired, ['kept at 2000']);
  assert.equal(clock.pending, 0);
});

test('what is overdue fires at once, but never inside `set`', () => {
  const {clock, start, fired, timers} = scene();
  timers.set('overdue', start - HOUR);
  assert.deepEqual(fired, []);
  clock.pass(0);
  assert.deepEqual(fired, ['overdue at 0']);
});

test('a delay longer than a timeout can hold is kept to', () => {
  const {clock, start, fired, timers} = scene();
  timers.set('next month', start + 30 * DAY);
  clock.pass(40 * DAY);
  assert.deepEqual(fired, [`next month at ${30 * DAY}`]);
  assert.ok(clock.longest < 2 ** 31);
});

test('after a suspend, what came due meanwhile fires soon', () => {
  const {clock, start, fired, timers} = scene();
  timers.set('due', start + HOUR);
  timers.set('not yet', start + 3 * HOUR);
  clock.pass(MINUTE);
  clock.jump(2 * HOUR);
  clock.pass(MINUTE);
  assert.equal(fired.length, 1);
  assert.match(fired[0] ?? '', /^due/);
  clock.pass(HOUR);
  assert.deepEqual(fired[1], `not yet at ${3 * HOUR}`);
});

test('a wall clock that is set back makes no timer wait longer', () => {
  const {clock, start, fired, timers} = scene();
  timers.set('in an hour', start + HOUR);
  clock.pass(10 * MINUTE);
  clock.jump(-3 * HOUR);
  timers.set('in two', clock.now() + 2 * HOUR);
  clock.pass(50 * MINUTE - 1);
  assert.deepEqual(fired, []);
  clock.pass(1);
  assert.deepEqual(fired, [`in an hour at ${-2 * HOUR}`]);
  clock.jump(-1 * HOUR);
  clock.pass(DAY);
  assert.equal(fired[1], `in two at ${-1 * HOUR - 50 * MINUTE}`);
});

test('a timer set after a jump is measured by the new time', () => {
  const {clock, fired, timers} = scene();
  clock.jump(5 * HOUR);
  timers.set('soon', clock.now() + 1_000);
  clock.pass(1_000);
  assert.deepEqual(fired, [`soon at ${5 * HOUR + 1_000}`]);
});

test('who fires may set and clear others, and itself again', () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  const timers = new Timers((name: string) => {
    fired.push(name);
    if (name === 'first') {
      timers.clear('second');
      timers.set('third', clock.now() + 1_000);
      if (fired.length === 1) timers.set('first', clock.now());
    }
  }, clock);
  for (const name of ['first', 'second', 'third']) timers.set(name, clock.now());
  clock.pass(0);
  assert.deepEqual(fired, ['first', 'first']);
  clock.pass(1_000);
  assert.deepEqual(fired, ['first', 'first', 'third']);
});

test('one that throws does not cost the others their turn', () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  const timers = new Timers((name: string) => {
    if (name === 'bad') throw new Error('bad');
    fired.push(name);
  }, clock);
  timers.set('bad', clock.now());
  timers.set('good', clock.now());
  assert.throws(() => clock.pass(0), /bad/);
  clock.pass(0);
  assert.deepEqual(fired, ['good']);
});

test('with the real clock it fires, too', async () => {
  await new Promise<void>((resolve) => {
    const timers = new Timers(() => resolve());
    timers.set('soon', Date.now() + 20);
  });
});

test('whoever asks for the time after a jump is told of the jump first', () => {
  const clock = new FakeClock();
  const start = clock.now();
  const told: string[] = [];
  const timers = new Timers(
    (name) => told.push(name),
    clock,
    (byMs) => told.push(`jumped by ${byMs}`),
  );
  timers.set('in an hour', start + HOUR);
  clock.jump(2 * HOUR);
  assert.equal(timers.now(), start + 2 * HOUR);
  assert.deepEqual(told, [`jumped by ${2 * HOUR}`]);
  clock.pass(1);
  assert.equal(told.at(-1), 'in an hour', 'what is due because of the jump is due at once');
});
