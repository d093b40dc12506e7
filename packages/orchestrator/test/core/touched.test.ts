import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import type {Decision} from '../../src/core/draft.ts';
import type {Event} from '../../src/core/event.ts';
import type {State} from '../../src/core/state.ts';
import {Table} from './builders.ts';
import {HISTORY, World} from './world.ts';

test('whatever a decision changed of what the store keeps, it says so', () => {
  let hasPauses = false;
  let hasTotals = false;
  for (const choices of fc.sample(HISTORY, {numRuns: 60, seed: 1})) {
    const table = new WatchedTable();
    const world = new World(table);
    for (const choice of choices) world.step(choice);
    hasPauses ||= table.hasPaused;
    hasTotals ||= table.hasCounted;
  }
  assert.ok(hasPauses && hasTotals, 'these histories neither pause nor end a run');
});

/** Compares the states before and after each decision, as the store would have to without being told. */
class WatchedTable extends Table {
  hasPaused = false;
  hasCounted = false;

  protected override decide(event: Event): Decision {
    const before = this.state;
    const decision = super.decide(event);
    const {state, touched} = decision;
    for (const name of ['claims', 'workspaces', 'kept'] as const) {
      for (const key of changedKeys(before[name], state[name])) {
        assert.ok(touched[name].has(key), `${event.type} changed ${name} of ${key}`);
      }
    }
    for (const key of changedKeys(before.counters, state.counters)) {
      // Counters leave the State with their claim, and come back from the store.
      const isKnown = before.counters.has(key) && state.counters.has(key);
      if (isKnown) assert.ok(touched.counters.has(key), `${event.type} counted ${key}`);
    }
    const isPaused = paused(before) !== paused(state);
    if (isPaused) assert.ok(touched.hasPauses, `${event.type} paused or resumed`);
    const isCounted = before.totals !== state.totals;
    if (isCounted) assert.ok(touched.hasTotals, `${event.type} changed the totals`);
    this.hasPaused ||= isPaused;
    this.hasCounted ||= isCounted;
    return decision;
  }
}

function changedKeys(before: ReadonlyMap<string, unknown>, after: typeof before): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key));
}

function paused({projects}: State): string {
  return [...projects.values()].flatMap(({name, isPaused}) => (isPaused ? [name] : [])).join();
}
