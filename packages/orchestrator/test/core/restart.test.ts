import assert from 'node:assert/strict';
import {test} from 'node:test';
import {resumed} from '../../src/core/resume.ts';
import {emptyState} from '../../src/core/state.ts';
import {anIssue, aResult, aWorkflow, type Knobs, Table} from './builders.ts';

/** Killed in this moment and started again, with nothing but what the store holds. */
function restarted(former: Table, knobs: Knobs = {}): Table {
  const table = new Table();
  table.state = resumed(emptyState('next'), former.state.claims, table.now);
  table.happens({type: 'project.loaded', workflow: aWorkflow(knobs)});
  table.happens({type: 'supervisor.started'});
  return table;
}

function running(knobs: Knobs = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  return table;
}

const FAILED = {outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}} as const;

test('died after a failed run was on record: it counts, and its backoff is kept to', () => {
  const former = running();
  former.ends(aResult(FAILED));
  const table = restarted(former);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt, claim.failures], ['failure', 1, 1]);
  assert.equal(claim.dueAt, table.now + 10_000);
  assert.equal(claim.thread?.id, 'thread-1');
});

test('died after a clean run was on record: it is continued, not run again', () => {
  const former = running();
  former.ends(aResult());
  const table = restarted(former);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt], ['continuation', 1]);
});

test('tracker write in doubt: re-read, written only if still needed', () => {
  const knobs = {tracker: {handoffState: 'Review'}};
  const inDoubt = () => {
    const former = running(knobs);
    former.ends(aResult());
    former.reads(anIssue());
    const claim = former.claim();
    assert.ok(claim?.is === 'stopping' && claim.step === 'handing-off');
    return restarted(former, knobs);
  };
  const written = inDoubt();
  written.reads(anIssue({state: 'Review'}));
  assert.equal(written.claim(), undefined);
  const lost = inDoubt().reads(anIssue());
  assert.deepEqual(
    lost.flatMap((effect) => (effect.do === 'write-state' ? [effect.state] : [])),
    ['Review'],
  );
});

test('died before the last hook of a dead runner had run: it is run after the restart', () => {
  const former = running();
  const [key, runId] = [former.key(), former.runId()];
  former.happens({type: 'runner.exited', key, runId, how: 'signal SIGKILL'});
  const table = restarted(former);
  assert.deepEqual(
    table.effects.filter((effect) => effect.do === 'finish-run'),
    [{do: 'finish-run', key, runId, outcome: 'failed'}],
  );
  table.happens({type: 'run.finished', key, runId});
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.attempt, 1);
});

test('died while a stalled run was being ended: it has failed all the same', () => {
  const former = running();
  former.later(400_000);
  former.happens({type: 'timer.fired', timer: 'stall p/1'});
  const table = restarted(former);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt], ['failure', 1]);
});
