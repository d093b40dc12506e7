import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Effect} from '../../../src/core/effect.ts';
import type {WriteAnswer} from '../../../src/core/event.ts';
import {anIssue, aWorkflow, type Knobs, reserved, started, Table} from '../builders.ts';

const MARKED: Knobs = {tracker: {inProgressState: 'In Progress'}};

/** Reserved and read again: its mark is being written. */
function marking(): Table {
  const table = new Table();
  table.project(MARKED, [anIssue()]);
  const effects = table.reads(anIssue());
  assert.deepEqual(writes(effects), ['In Progress']);
  assert.deepEqual(started(effects), [], 'not before it is written');
  return table;
}

function writes(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.do === 'write-state' ? [effect.state] : []));
}

function written(table: Table, answer: WriteAnswer): readonly Effect[] {
  return table.happens({type: 'state.written', key: table.key(), runId: table.runId(), answer});
}

test('in progress: written after the re-read and before launch, and known from then on', () => {
  for (const answer of ['written', 'unchanged'] as const) {
    const table = marking();
    assert.deepEqual(started(written(table, answer)), ['p/1']);
    assert.equal(table.claim()?.issue.state, 'In Progress');
  }
});

test('in progress: not written if the issue is there already', () => {
  const table = new Table();
  table.project(MARKED, [anIssue({state: 'In Progress'})]);
  const effects = table.reads(anIssue({state: 'In Progress'}));
  assert.deepEqual([writes(effects), started(effects)], [[], ['p/1']]);
});

test('in progress: a failed write warns and the run continues', () => {
  const table = marking();
  const effects = written(table, 'failed');
  assert.ok(effects.some((effect) => effect.do === 'log' && effect.level === 'warn'));
  assert.deepEqual(started(effects), ['p/1']);
  assert.equal(table.claim()?.issue.state, 'Todo');
});

test('in progress: if somebody was faster the issue is read again, and that wins', () => {
  const table = marking();
  assert.deepEqual(reserved(written(table, 'conflict')), ['1']);
  table.reads(anIssue({state: 'Review'}));
  assert.equal(table.claim(), undefined);
});

test('in progress: taken out of the workflow while it is written, the run continues', () => {
  const table = marking();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  assert.deepEqual(started(written(table, 'written')), ['p/1']);
  assert.equal(table.claim()?.issue.state, 'Todo', 'until the next read');
});

test('a run that is stopped while its mark is written is never started', () => {
  const table = marking();
  const runId = table.runId();
  const command = {command: 'stop', key: 'p/1'} as const;
  const stopped = table.happens({type: 'operator.commanded', by: 'me', command});
  assert.ok(!stopped.some((effect) => effect.do === 'stop-run'), 'there is no runner yet');
  const late = table.happens({type: 'state.written', key: 'p/1', runId, answer: 'written'});
  assert.deepEqual(started(late), []);
  assert.deepEqual(started(table.reads(anIssue({state: 'In Progress'}))), []);
  assert.equal(table.claim()?.is, 'held');
});

test('a runner that is stopped while it is forked is known by its process all the same', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.reads(anIssue());
  const [key, runId] = [table.key(), table.runId()];
  table.happens({type: 'operator.commanded', by: 'me', command: {command: 'stop', key}});
  const process = {pid: 42, startedAt: 'then'};
  table.happens({type: 'runner.started', key, runId, process});
  const claim = table.claim();
  assert.ok(claim?.is === 'stopping');
  assert.deepEqual(claim.run?.process, process);
});
