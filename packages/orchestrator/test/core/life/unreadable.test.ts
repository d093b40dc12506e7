import assert from 'node:assert/strict';
import {test} from 'node:test';
import {conflictOf} from '../../../src/core/life/operator.ts';
import {unreadableClaim} from '../../../src/core/run/hold.ts';
import {anIssue, aResult, aWorkflow, Table} from '../builders.ts';

const key = 'p/1';

/** A start has found a claim that it cannot read. */
function taken(): Table {
  const table = new Table();
  const stored = {project: 'p', issueId: '1', identifier: 'ABC-1'};
  const claim = unreadableClaim(stored, 'no such field', table.now);
  table.state = {
    ...table.state,
    claims: new Map([[key, claim]]),
    workspaces: new Map([[key, [{host: 'local', path: '/workspaces/ABC-1'}]]]),
    unreadable: new Set([key]),
  };
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  return table;
}

function ticks(table: Table, issue: ReturnType<typeof anIssue> | null) {
  const answer = {ok: true, value: issue === null ? [] : [issue]} as const;
  return table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
}

test('an unreadable claim holds its issue, whatever state it is in, and says why', () => {
  const table = taken();
  for (const issue of [
    anIssue(),
    anIssue({state: 'In Progress'}),
    anIssue({state: 'Backlog'}),
    null,
  ]) {
    ticks(table, issue);
    const claim = table.claim();
    assert.ok(claim?.is === 'held');
    assert.equal(claim.because.code, 'claim_unreadable');
    assert.match(claim.because.message, /no such field/);
    table.later(30_000);
    table.happens({type: 'timer.fired', timer: 'poll p'});
  }
});

test('it cannot be retried, for nothing is known of it; it can be released', () => {
  const table = taken();
  const order = {command: 'retry', message: null} as const;
  assert.match(conflictOf(table.claim(), order) ?? '', /cannot be read/);
  table.happens({type: 'operator.commanded', by: 'x', command: {...order, key}});
  assert.equal(table.claim()?.is, 'held');
  assert.equal(conflictOf(table.claim(), {command: 'restart'}), null);
  table.happens({type: 'operator.commanded', by: 'x', command: {command: 'restart', key}});
  assert.equal(table.claim(), undefined);
});

test('when its issue is over it is let go, and its workspace stays', () => {
  const table = taken();
  const effects = ticks(table, anIssue({state: 'Done'}));
  assert.equal(table.claim(), undefined);
  assert.deepEqual(
    effects.filter(({do: it}) => it === 'clean-workspace' || it === 'read-issue'),
    [],
  );
  assert.deepEqual(table.state.workspaces.get(key), [{host: 'local', path: '/workspaces/ABC-1'}]);

  const workspace = {host: 'local', path: '/workspaces/ABC-1'};
  const value = [{issue: anIssue({state: 'Done'}), ...workspace}];
  const answer = {ok: true, value} as const;
  table.happens({type: 'workspaces.found', project: 'p', scope: 0, answer});
  assert.equal(table.claim(), undefined, 'the sweep leaves it alone, too');
});

test('released and closed before a new run has begun, its workspace stays; after a run it goes', () => {
  for (const hasRun of [false, true]) {
    const table = taken();
    ticks(table, anIssue());
    table.happens({type: 'operator.commanded', by: 'x', command: {command: 'restart', key}});
    table.project({}, [anIssue()]);
    assert.equal(table.claim()?.is, 'running');
    if (hasRun) {
      table.starts(anIssue());
      table.ends(aResult());
    }
    const cleaned = table.reads(anIssue({state: 'Done'})).some((it) => it.do === 'clean-workspace');
    assert.equal(cleaned, hasRun);
  }
});
