import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {CleanOutcome} from '@symphony-supervisor/protocol';
import type {Effect} from '../../../src/core/effect.ts';
import type {State} from '../../../src/core/index.ts';
import {conflictOf} from '../../../src/core/life/operator.ts';
import {resumed} from '../../../src/core/life/resume.ts';
import {emptyState} from '../../../src/core/state.ts';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {anIssue, aResult, aWorkflow, type Knobs, NOW, Table} from '../builders.ts';

const key = 'p/1';
const path = '/workspaces/ABC-1';
const host = 'local';
const DONE = anIssue({state: 'Done'});
const REASON = '2 commits not pushed';
const KEPT: CleanOutcome = {is: 'kept', reason: REASON};

/** An issue that its agent has finished, and whose workspace is being cleaned. */
function cleaning(knobs: Knobs = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  table.ends(aResult());
  table.reads(DONE);
  return table;
}

function kept(): Table {
  const table = cleaning();
  table.happens({type: 'workspace.cleaned', key, path, outcome: KEPT});
  return table;
}

function sweeps(table: Table): void {
  const value = [{issue: DONE, host, path}];
  const answer = {ok: true, value} as const;
  table.happens({type: 'workspaces.found', scope: 0, project: 'p', answer});
  table.confirms(DONE);
}

function orders(table: Table, on = key): readonly Effect[] {
  return table.happens({
    ...{type: 'operator.commanded', by: 'me', command: {command: 'clean', key: on}},
  });
}

function cleanings(effects: readonly Effect[]) {
  return effects.filter((effect) => effect.do === 'clean-workspace');
}

function logged(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.do === 'log' ? [effect.event] : []));
}

test('a workspace that holds work stays on record as kept, and its issue is let go', () => {
  const table = cleaning();
  table.later(5000);
  const effects = table.happens({type: 'workspace.cleaned', key, path, outcome: KEPT});
  assert.equal(table.claim(), undefined);
  assert.deepEqual(table.state.workspaces.get(key), [{host, path}]);
  assert.deepEqual(table.state.kept.get(key), [
    {issue: DONE, host, path, reason: REASON, since: NOW + 5000, isDiscarded: false},
  ]);
  assert.deepEqual(table.decision?.touched.kept, new Set([key]));
  assert.deepEqual(
    effects.filter((effect) => effect.do === 'log'),
    [{do: 'log', level: 'warn', event: 'workspace.kept', key, reason: `${path}: ${REASON}`}],
  );
});

test('kept workspaces are shown, longest kept first', () => {
  const table = kept();
  const {kept: rows, counts} = snapshotOf(
    {
      ...table.state,
      kept: new Map([
        ...table.state.kept,
        ['p/2', [{...one(table), issue: anIssue({id: '2'}), since: NOW - 1}]],
        ['p/3', [{...one(table), issue: anIssue({id: '3'}), since: NOW + 1}]],
      ]),
    },
    NOW,
    {version: '1', pid: 1, started_at: ''},
  );
  assert.equal(counts.kept, 3);
  assert.deepEqual(
    rows.map((row) => [row.issue_identifier, row.project, row.workspace_path, row.reason]),
    [
      ['ABC-2', 'p', path, REASON],
      ['ABC-1', 'p', path, REASON],
      ['ABC-3', 'p', path, REASON],
    ],
  );
});

function one({state}: {state: State}) {
  const [first] = state.kept.get(key) ?? [];
  assert.ok(first !== undefined);
  return first;
}

test('the sweep looks again: an unchanged reason is not logged, a new one is', () => {
  const table = kept();
  const {since} = one(table);
  table.later(3_600_000);
  sweeps(table);
  assert.deepEqual(cleanings(table.effects), [
    {do: 'clean-workspace', key, host, path, keepWork: true},
  ]);
  const same = table.happens({type: 'workspace.cleaned', key, path, outcome: KEPT});
  assert.deepEqual(logged(same), []);
  assert.equal(one(table).since, since);
  sweeps(table);
  const outcome = {is: 'kept', reason: '1 commit not pushed'} as const;
  const other = table.happens({type: 'workspace.cleaned', key, path, outcome});
  assert.deepEqual(logged(other), ['workspace.kept']);
  assert.equal(one(table).since, since);
});

test('delivered meanwhile, it is removed and no longer kept', () => {
  const table = kept();
  sweeps(table);
  table.happens({type: 'workspace.cleaned', key, path, outcome: {is: 'removed'}});
  assert.equal(table.state.kept.size, 0);
  assert.equal(table.state.workspaces.size, 0);
  assert.equal(table.claim(), undefined);
});

test('a run that works in it again takes it off the list', () => {
  const table = kept();
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  table.starts(anIssue());
  assert.equal(table.state.kept.size, 0);
});

test('an operator removes it, whatever it holds and wherever its issue stands', () => {
  const table = kept();
  const effects = orders(table);
  assert.deepEqual(cleanings(effects), [{do: 'clean-workspace', key, host, path, keepWork: false}]);
  assert.equal(one(table).isDiscarded, true);
  table.happens({type: 'workspace.cleaned', key, path, outcome: {is: 'removed'}});
  assert.equal(table.state.kept.size, 0);
  assert.equal(table.claim(), undefined);
});

test('an order is for what was kept: another workspace of the issue stays', () => {
  const table = kept();
  const workspaces = new Map([
    [
      key,
      [
        {host, path: '/elsewhere/ABC-1'},
        {host, path},
      ],
    ],
  ]);
  table.state = {...table.state, workspaces};
  orders(table);
  table.happens({type: 'workspace.cleaned', key, path, outcome: {is: 'removed'}});
  assert.deepEqual(table.state.workspaces.get(key), [{host, path: '/elsewhere/ABC-1'}]);
  assert.equal(table.claim(), undefined);
});

test('all that was kept of an issue goes by one order', () => {
  const table = kept();
  const other = '/elsewhere/ABC-1';
  table.state = {
    ...table.state,
    workspaces: new Map([
      [
        key,
        [
          {host, path: other},
          {host, path},
        ],
      ],
    ]),
    kept: new Map([[key, [one(table), {...one(table), path: other}]]]),
  };
  assert.equal(cleanings(orders(table))[0]?.path, path);
  const next = table.happens({type: 'workspace.cleaned', key, path, outcome: {is: 'removed'}});
  assert.equal(cleanings(next)[0]?.path, other);
});

test('an order outlives the supervisor, and needs no tracker to be carried out', () => {
  const former = kept();
  orders(former);
  const table = new Table();
  const {kept: left, workspaces, claims} = former.state;
  table.state = resumed({...emptyState('next'), kept: left, workspaces}, claims, NOW);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const effects = table.happens({type: 'supervisor.started'});
  assert.deepEqual(cleanings(effects), [{do: 'clean-workspace', key, host, path, keepWork: false}]);
});

test('only what is kept can be ordered away, and only while nothing else is done with it', () => {
  const table = kept();
  const order = {command: 'clean'} as const;
  const list = table.state.kept.get(key) ?? [];
  assert.equal(conflictOf(undefined, order, list), null);
  assert.match(conflictOf(undefined, order) ?? '', /no workspace .* is kept/);
  assert.match(conflictOf(cleaning().claim(), order, list) ?? '', /stopping/);
  for (const on of ['p/2', 'q/1']) {
    const before = table.state;
    assert.deepEqual(orders(table, on), []);
    assert.deepEqual(table.state, before);
  }
  // A project that is not given: what is kept of it waits for a life that is given it.
  table.state = {...table.state, kept: new Map([['q/1', list]])};
  assert.deepEqual(orders(table, 'q/1'), []);
});

test('with keep_unpushed: false nothing is looked for', () => {
  const effects = cleaning({keepUnpushed: false}).all;
  assert.deepEqual(cleanings(effects), [{do: 'clean-workspace', key, host, path, keepWork: false}]);
});
