import assert from 'node:assert/strict';
import {test} from 'node:test';
import {decide} from '../../src/core/index.ts';
import {resumed} from '../../src/core/life/resume.ts';
import {emptyState} from '../../src/core/state.ts';
import {anIssue, Table} from './builders.ts';

// What the types or the doors of the core rule out. Should it come about all the same, the one event is
// refused aloud (the loop sets it aside, and says so) instead of being guessed about.

function running(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  return table;
}

test('an event of a kind that nobody knows is refused', () => {
  const event = {type: 'moon.rose', at: 0} as never;
  assert.throws(() => decide(emptyState('life'), event), /unreachable: .*moon\.rose/);
});

test('a report of a kind that nobody knows is refused', () => {
  const table = running();
  const [key, runId] = [table.key(), table.runId()];
  const report = {type: 'moon.rose'} as never;
  assert.throws(
    () => table.happens({type: 'runner.reported', key, runId, report}),
    /unreachable: .*moon\.rose/,
  );
});

test('a claim whose project is not loaded is refused when it is set in motion', () => {
  const table = new Table();
  table.state = resumed(emptyState('next'), running().state.claims, table.now);
  assert.throws(() => table.happens({type: 'supervisor.started'}), /project p is not loaded/);
});
