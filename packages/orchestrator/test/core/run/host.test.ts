import assert from 'node:assert/strict';
import {test} from 'node:test';
import {snapshotOf} from '../../../src/core/view/snapshot.ts';
import {anIssue, aResult, NOW, Table} from '../builders.ts';

const key = 'p/1';
const path = '/workspaces/ABC-1';

/** An issue whose run has told its workspace. */
function running(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const report = {type: 'workspace', path, created: true} as const;
  table.happens({type: 'runner.reported', key, runId: table.runId(), report});
  return table;
}

/** The same as if its workspace were on another machine. */
function runningElsewhere(): Table {
  const table = running();
  const claim = table.claim();
  assert.ok(claim?.is === 'running');
  const workspace = {host: 'far', path};
  const moved = {...claim, workspace, run: {...claim.run, host: 'far'}};
  const workspaces = new Map([[key, [workspace]]]);
  table.state = {...table.state, claims: new Map([[key, moved]]), workspaces};
  return table;
}

function shown(table: Table) {
  const about = {version: '1', pid: 1, started_at: new Date(NOW).toISOString()};
  return snapshotOf(table.state, table.now, about);
}

test('a run starts on the local host, and its workspace is there', () => {
  const table = running();
  assert.deepEqual(table.claim()?.workspace, {host: 'local', path});
  assert.deepEqual(table.state.workspaces.get(key), [{host: 'local', path}]);
  const [row] = shown(table).running;
  assert.deepEqual([row?.host, row?.workspace_path], ['local', path]);
});

test('history has the host of a run', () => {
  const effects = runningElsewhere().ends(aResult());
  const hosts = effects.flatMap((effect) => (effect.do === 'record-run' ? effect.record.host : []));
  assert.deepEqual(hosts, ['far']);
});

test('an issue that runs again does so where its workspace is', () => {
  const table = runningElsewhere();
  table.ends(aResult());
  table.reads(anIssue());
  table.later(1_000);
  table.happens({type: 'timer.fired', timer: `retry ${key}`});
  const claim = table.claim();
  assert.ok(claim?.is === 'running' && claim.run.id !== 'life-1');
  assert.equal(claim.run.host, 'far');
});

test('a workspace is removed on its host; one of the same path on another host is another one', () => {
  const table = runningElsewhere();
  const both = [
    {host: 'far', path},
    {host: 'local', path},
  ];
  table.state = {...table.state, workspaces: new Map([[key, both]])};
  const done = anIssue({state: 'Done'});
  table.ends(aResult());
  const effects = table.reads(done);
  assert.deepEqual(
    effects.filter((effect) => effect.do === 'clean-workspace'),
    [{do: 'clean-workspace', key, host: 'far', path, keepWork: true}],
  );
  assert.equal(shown(table).stopping[0]?.host, 'far');
  const outcome = {is: 'kept', reason: '1 commit not pushed'} as const;
  table.happens({type: 'workspace.cleaned', key, host: 'far', path, outcome});
  assert.deepEqual(table.state.workspaces.get(key), both.toReversed());
  assert.deepEqual(
    shown(table).kept.map(({host, workspace_path}) => [host, workspace_path]),
    [['far', path]],
  );
});
