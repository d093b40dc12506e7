import assert from 'node:assert/strict';
import {test} from 'node:test';
import {hindrancesOf} from '../../../src/core/view/readiness.ts';
import {anIssue, aResult, aWorkflow, Table} from '../builders.ts';

function codes(table: Table): string[] {
  return hindrancesOf(table.state, table.now).map(({code}) => code);
}

function messageOf(table: Table, code: string): string | undefined {
  return hindrancesOf(table.state, table.now).find((reason) => reason.code === code)?.message;
}

/** One that has ticked and is well, with an interval of 30 seconds. */
function well(): Table {
  const table = new Table();
  table.project({}, []);
  return table;
}

function ticks(table: Table, notBefore?: number): void {
  const failed = {ok: false, message: 'no', notBefore: notBefore ?? null} as const;
  const answer = notBefore === undefined ? ({ok: true, value: []} as const) : failed;
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
}

test('nothing hinders a supervisor that has just ticked', () => {
  assert.deepEqual(codes(well()), []);
});

test('the store and a shutdown hinder all projects', () => {
  const table = well();
  table.happens({type: 'store.changed', isWritable: false});
  table.happens({type: 'shutdown.requested', withinMs: 1000});
  assert.deepEqual(hindrancesOf(table.state, table.now), [
    {code: 'store_unwritable', project: null, message: 'the store cannot be written'},
    {code: 'shutting_down', project: null, message: 'the supervisor is shutting down'},
  ]);
});

test('a broken workflow and a full disk hinder their project', () => {
  const table = well();
  table.happens({type: 'project.broken', project: 'p', problem: 'line 2'});
  table.happens({type: 'disk.checked', project: 'p', shortage: '3 MB'});
  assert.deepEqual(hindrancesOf(table.state, table.now), [
    {code: 'workflow_invalid', project: 'p', message: 'line 2'},
    {code: 'disk_full', project: 'p', message: '3 MB'},
  ]);
});

test('a blocked agent hinders its project until a check has passed', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  table.ends(aResult({outcome: 'failed', failure: {code: 'unauthorized', message: 'log in'}}));
  assert.equal(messageOf(table, 'agent_blocked'), 'unauthorized: log in');
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'probe p'});
  assert.equal(messageOf(table, 'agent_blocked'), 'unauthorized: log in', 'it is being checked');
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  assert.deepEqual(codes(table), []);
});

test('an agent that is checked for the first time hinders nothing', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  assert.equal(table.state.projects.get('p')?.agent.is, 'probing');
  assert.deepEqual(codes(table), []);
});

test('three intervals without a tick that read the tracker', () => {
  const table = well();
  table.later(90_000);
  assert.deepEqual(codes(table), []);
  table.later(1);
  assert.equal(messageOf(table, 'no_tick'), 'no tick has read the tracker for 90 s');
  ticks(table, table.now + 60_000);
  assert.equal(messageOf(table, 'no_tick'), 'no tick has read the tracker for 90 s: no');
  table.later(30_000); // the tracker wants to be left alone: this tick reads nothing
  table.happens({type: 'timer.fired', timer: 'poll p'});
  assert.deepEqual(codes(table), ['no_tick']);
  table.later(30_000);
  ticks(table);
  assert.deepEqual(codes(table), []);
});

test('a paused project ticks, too', () => {
  const table = well();
  table.happens({type: 'operator.commanded', by: 'me', command: {command: 'pause', project: 'p'}});
  table.later(80_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.later(80_000);
  assert.deepEqual(codes(table), []);
});

test('with a short interval a tick may take ten seconds', () => {
  const table = new Table();
  table.project({intervalMs: 500}, []);
  table.later(10_000);
  assert.deepEqual(codes(table), []);
  table.later(1);
  assert.deepEqual(codes(table), ['no_tick']);
});

test('a machine that slept has missed no tick, and a clock that is set back hides none', () => {
  const table = well();
  table.later(80_000);
  const jumps = (byMs: number) => {
    table.later(byMs);
    table.happens({type: 'clock.jumped', byMs});
  };
  jumps(3_600_000);
  jumps(-7_200_000);
  assert.deepEqual(codes(table), []);
  table.later(10_001);
  assert.deepEqual(codes(table), ['no_tick']);
});
