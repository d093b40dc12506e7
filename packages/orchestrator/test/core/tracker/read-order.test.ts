import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Effect} from '../../../src/core/effect.ts';
import {anIssue, aResult, Table} from '../builders.ts';

const DONE = anIssue({state: 'Done'});
const key = 'p/1';

/** A live run in a workspace that is on record. */
function running(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  return table;
}

/** A tick reads the claimed issue. */
function ticks(table: Table, issue = anIssue()): readonly Effect[] {
  table.later(30_000);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [issue]} as const;
  return table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
}

function reads(effects: readonly Effect[]): number {
  return effects.filter((effect) => effect.do === 'read-issue').length;
}

function cleans(effects: readonly Effect[]): number {
  return effects.filter((effect) => effect.do === 'clean-workspace').length;
}

/** A read of the issue that was asked for before the last one that has been answered. */
function answersLate(table: Table, issue: ReturnType<typeof anIssue>, runId: string | null) {
  const answer = {ok: true, value: issue} as const;
  return table.happens({type: 'issue.read', key, runId, askedAt: 0, answer});
}

test('the read before a launch that a newer one has overtaken is asked for again', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  ticks(table);
  const effects = answersLate(table, DONE, table.runId());
  assert.equal(reads(effects), 1);
  assert.equal(table.claim()?.is, 'running');
});

test('the read after a run that a newer one has overtaken is asked for again', () => {
  const table = running();
  table.ends(aResult());
  ticks(table);
  const effects = answersLate(table, DONE, table.runId());
  assert.equal(reads(effects), 1);
  assert.equal(cleans(effects), 0);
  assert.equal(table.claim()?.is, 'stopping');
});

test('the read before a cleaning that a newer one has overtaken is asked for again', () => {
  const table = running();
  table.ends(aResult());
  table.happens({type: 'issue.read', key, runId: table.runId(), answer: failed});
  table.later(1_000);
  ticks(table, DONE);
  ticks(table, DONE);
  const effects = answersLate(table, DONE, null);
  assert.equal(reads(effects), 1);
  assert.equal(cleans(effects), 0);
  assert.equal(cleans(table.confirms(DONE)), 1);
});

const failed = {ok: false, message: 'down', notBefore: null} as const;

test('what is not confirmed to be over is not deleted', () => {
  for (const answer of [failed, {ok: true, value: null}, {ok: true, value: anIssue()}] as const) {
    const table = running();
    table.ends(aResult());
    table.happens({type: 'issue.read', key, runId: table.runId(), answer: failed});
    ticks(table, DONE);
    const claim = table.claim();
    assert.ok(claim?.is === 'stopping' && claim.step === 'confirming');
    const effects = table.happens({type: 'issue.read', key, runId: null, answer});
    assert.equal(cleans(effects), 0);
    assert.equal(table.claim(), undefined);
    assert.deepEqual(table.state.workspaces.get(key), [{host: 'local', path: '/workspaces/ABC-1'}]);
  }
});

test('an issue without a workspace on record is released without a further read', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.reads(anIssue());
  const process = {pid: 1, startedAt: 'then'};
  table.happens({type: 'runner.started', key, runId: table.runId(), process});
  table.happens({type: 'runner.exited', key, runId: table.runId(), how: 'signal SIGKILL'});
  table.happens({type: 'issue.read', key, runId: table.runId(), answer: failed});
  const effects = ticks(table, DONE);
  assert.equal(reads(effects), 0);
  assert.equal(table.claim(), undefined);
});

test('while it shuts down nothing is read before a cleaning: the next start asks', () => {
  const table = running();
  ticks(table, DONE);
  table.happens({type: 'shutdown.requested', withinMs: 1_000});
  const {effects} = {effects: table.ends(aResult({outcome: 'canceled_by_reconciliation'}))};
  assert.equal(reads(effects), 0);
  const claim = table.claim();
  assert.ok(claim?.is === 'stopping' && claim.step === 'confirming');
});

test('a run that was stopped because its issue was closed is resumed if the issue was reopened', () => {
  for (const state of ['Done', 'Backlog']) {
    const table = running();
    ticks(table, anIssue({state}));
    table.ends(aResult({outcome: 'canceled_by_reconciliation'}));
    table.reads(anIssue());
    const claim = table.claim();
    assert.ok(claim !== undefined && 'thread' in claim);
    assert.equal(claim.thread?.id, 'thread-1');
    assert.ok(['retrying', 'running'].includes(claim.is));
  }
});
