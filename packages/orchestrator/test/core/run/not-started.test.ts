import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Effect} from '../../../src/core/effect.ts';
import {anIssue, aResult, Table} from '../builders.ts';

const WHY = 'the tools of the tracker could not be read: down';

/** Its launch is ordered, and the shell has not forked it yet. */
function launched(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.reads(anIssue());
  return table;
}

function notStarted(table: Table): readonly Effect[] {
  const [key, runId] = [table.key(), table.runId()];
  return table.happens({type: 'run.not_started', key, runId, why: WHY});
}

test('a fresh issue whose run could not be started is released, and costs no run', () => {
  const table = launched();
  const runId = table.runId();
  const effects = notStarted(table);
  assert.equal(table.claim(), undefined);
  assert.equal(table.counters.get(table.key())?.runs, 0);
  const records = effects.flatMap((effect) => (effect.do === 'record-run' ? [effect.record] : []));
  assert.deepEqual(
    records.map((record) => [record.runId, record.outcome, record.turns]),
    [[runId, 'interrupted', 0]],
  );
  assert.ok(effects.some((effect) => effect.do === 'log' && effect.reason === WHY));
});

test('a retry whose run could not be started waits at its attempt, and says why', () => {
  const table = launched();
  const key = table.key();
  table.happens({
    type: 'runner.started',
    key,
    runId: table.runId(),
    process: {pid: 1, startedAt: 'x'},
  });
  table.ends(aResult());
  table.reads(anIssue());
  table.later(1_000);
  table.happens({type: 'timer.fired', timer: `retry ${key}`});
  table.reads(anIssue());
  notStarted(table);
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.attempt, claim.waitsFor, claim.thread?.id], [1, WHY, 'thread-1']);
  assert.equal(table.counters.get(key)?.runs, 1);
});

test('a resumed run that never counted is not counted back', () => {
  const table = launched();
  const key = table.key();
  table.happens({
    type: 'runner.started',
    key,
    runId: table.runId(),
    process: {pid: 1, startedAt: 'x'},
  });
  const claim = table.claim();
  assert.ok(claim?.is === 'running');
  const claims = new Map([
    [key, {...claim, run: {...claim.run, counts: false, step: 'forking'}} as const],
  ]);
  table.state = {...table.state, claims};
  notStarted(table);
  assert.equal(table.counters.get(key)?.runs, 1);
});

test('one that was told to stop meanwhile ends as it was told', () => {
  const table = launched();
  const key = table.key();
  table.happens({type: 'operator.commanded', by: 'x', command: {command: 'stop', key}});
  notStarted(table);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'stopped_by_operator');
});
