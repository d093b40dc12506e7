import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyState, type State} from '../../src/core/state.ts';
import {Publisher} from '../../src/shell/publisher.ts';
import {FakeClock} from './fake-clock.ts';

const SURROUNDINGS = {version: '1', pid: 1, started_at: new Date(0).toISOString()};

function aPublisher() {
  let state: State = emptyState('life');
  const clock = new FakeClock();
  const publisher = new Publisher(() => state, clock, SURROUNDINGS);
  const change = () => {
    state = {...state, runsReserved: state.runsReserved + 1};
    publisher.noteChange();
  };
  return {publisher, clock, change};
}

test('however much changes, watchers hear of it a few times a second', () => {
  const {publisher, clock, change} = aPublisher();
  const heard: number[] = [];
  publisher.watch(({id}) => heard.push(id));
  for (let times = 0; times < 100; times++) change();
  assert.deepEqual(heard, []);
  clock.pass(1000);
  assert.equal(heard.length, 1);
});

test('somebody who looks in between does not take the news from those who watch', () => {
  const {publisher, clock, change} = aPublisher();
  const heard: number[] = [];
  publisher.watch(({id}) => heard.push(id));
  change();
  const {id} = publisher.current;
  clock.pass(1000);
  assert.deepEqual(heard, [id]);
});
