import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Effect} from '../../../src/core/effect.ts';
import {anIssue, aWorkflow, Table, timers} from '../builders.ts';

const HOUR = 60 * 60_000;
const host = 'local';

/** What the disk and the tracker say when a sweep looks. */
function sweeps(table: Table, found: readonly {id: string; state: string; path: string}[]) {
  const value = found.map(({id, state, path}) => ({issue: anIssue({id, state}), host, path}));
  return table.happens({
    type: 'workspaces.found',
    scope: 0,
    project: 'p',
    answer: {ok: true, value},
  });
}

function cleaned(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.do === 'clean-workspace' ? [effect.path] : []));
}

test('at the start the workspaces are looked for, and then every hour', () => {
  const table = new Table();
  table.project({}, []);
  assert.equal(table.all.filter((effect) => effect.do === 'find-workspaces').length, 1);
  const effects = sweeps(table, []);
  assert.equal(timers(effects)['sweep p'], table.now + HOUR);
  table.later(HOUR);
  const again = table.happens({type: 'timer.fired', timer: 'sweep p'});
  assert.ok(again.some((effect) => effect.do === 'find-workspaces'));
});

test('a sweep that fails warns, and is repeated until it succeeds', () => {
  const table = new Table();
  table.project({}, []);
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  const effects = table.happens({type: 'workspaces.found', scope: 0, project: 'p', answer});
  assert.ok(effects.some((effect) => effect.do === 'log' && effect.event === 'sweep.failed'));
  assert.equal(timers(effects)['sweep p'], table.now + 60_000);
});

test('only workspaces whose issue is over are removed', () => {
  const table = new Table();
  table.project({}, []);
  const found = sweeps(table, [
    {id: '7', state: 'Done', path: '/workspaces/ABC-7'},
    {id: '8', state: 'Review', path: '/workspaces/ABC-8'},
    {id: '9', state: 'Todo', path: '/workspaces/ABC-9'},
  ]);
  assert.deepEqual(cleaned(found), [], 'nothing is deleted before it is confirmed');
  const effects = table.confirms(anIssue({id: '7', state: 'Done'}));
  assert.deepEqual(cleaned(effects), ['/workspaces/ABC-7']);
  assert.equal(table.claim('7')?.is, 'stopping');
  assert.equal(table.claim('8'), undefined);
  table.happens({
    type: 'workspace.cleaned',
    key: 'p/7',
    path: '/workspaces/ABC-7',
    outcome: {is: 'removed'},
  });
  assert.equal(table.claim('7'), undefined);
  assert.equal(table.state.workspaces.has('p/7'), false);
});

test('a workspace outlives the release of its issue, on record', () => {
  const table = new Table();
  table.project({tracker: {handoffState: 'Review'}}, [anIssue()]);
  table.starts(anIssue());
  table.happens({type: 'operator.commanded', by: 'me', command: {command: 'restart', key: 'p/1'}});
  table.happens({type: 'runner.exited', key: 'p/1', runId: table.runId(), how: 'exit code 0'});
  table.happens({type: 'run.finished', key: 'p/1', runId: table.runId()});
  table.reads(anIssue({state: 'Review'}));
  assert.equal(table.claim(), undefined);
  assert.deepEqual(table.state.workspaces.get('p/1'), [{host, path: '/workspaces/ABC-1'}]);
});

test('after a changed root both workspaces go, one after the other', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const report = {type: 'workspace', path: '/elsewhere/ABC-1', created: true} as const;
  table.happens({type: 'runner.reported', key: 'p/1', runId: table.runId(), report});
  table.happens({
    type: 'claimed.read',
    project: 'p',
    scope: 0,
    ids: ['1'],
    answer: {ok: true, value: [anIssue({state: 'Done'})]},
  });
  table.happens({type: 'runner.exited', key: 'p/1', runId: table.runId(), how: 'exit code 0'});
  table.happens({type: 'run.finished', key: 'p/1', runId: table.runId()});
  assert.deepEqual(cleaned(table.reads(anIssue({state: 'Done'}))), ['/workspaces/ABC-1']);
  const done = {type: 'workspace.cleaned', key: 'p/1', outcome: {is: 'removed'}} as const;
  assert.deepEqual(cleaned(table.happens({...done, path: '/workspaces/ABC-1'})), [
    '/elsewhere/ABC-1',
  ]);
  table.happens({...done, path: '/elsewhere/ABC-1'});
  assert.equal(table.claim(), undefined);
});

test('what cannot be deleted stays on record, behind the others, for the next sweep', () => {
  const table = new Table();
  table.project({}, []);
  sweeps(table, [{id: '7', state: 'Done', path: '/workspaces/ABC-7'}]);
  table.confirms(anIssue({id: '7', state: 'Done'}));
  const failure = {code: 'workspace_error', message: 'busy'} as const;
  const path = '/workspaces/ABC-7';
  const effects = table.happens({
    ...{type: 'workspace.cleaned', key: 'p/7', path},
    outcome: {is: 'failed', failure},
  });
  assert.ok(effects.some((effect) => effect.do === 'log' && effect.reason === 'busy'));
  assert.equal(table.claim('7'), undefined);
  assert.deepEqual(table.state.workspaces.get('p/7'), [{host, path}]);
});

test('an issue that is being worked on again is not cleaned under its agent', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const effects = sweeps(table, [{id: '1', state: 'Done', path: '/workspaces/ABC-1'}]);
  assert.deepEqual(cleaned(effects), []);
  assert.ok(
    effects.some((effect) => effect.do === 'stop-run'),
    'a read is a read',
  );
});

test('a slow sweep that saw an issue done before it was reopened stops and deletes nothing', () => {
  const table = new Table();
  const {asked: askedAt} = table;
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const value = [{issue: anIssue({state: 'Done'}), host, path: '/workspaces/ABC-1'}];
  const found = {type: 'workspaces.found', scope: 0, project: 'p', askedAt} as const;
  const effects = table.happens({...found, answer: {ok: true, value}});
  assert.deepEqual(cleaned(effects), []);
  assert.ok(!effects.some((effect) => effect.do === 'stop-run'));
  assert.equal(table.claim()?.issue.state, 'Todo');
});

test('a sweep of the tracker that the file named before is asked again of the new one', () => {
  const table = new Table();
  table.project({}, []);
  table.happens({
    type: 'project.loaded',
    workflow: aWorkflow({tracker: {provider: {part: 2}}}),
  });
  const value = [{issue: anIssue({state: 'Done'}), host, path: '/workspaces/ABC-1'}];
  const late = {type: 'workspaces.found', scope: 0, project: 'p'} as const;
  const effects = table.happens({...late, answer: {ok: true, value}});
  assert.deepEqual(cleaned(effects), []);
  assert.equal(table.claim(), undefined);
  assert.deepEqual(
    effects.filter((effect) => effect.do === 'find-workspaces'),
    [{do: 'find-workspaces', project: 'p', scope: 1}],
  );
});

test('without an answer nothing is deleted: the workspace waits for the next sweep', () => {
  const table = new Table();
  table.project({}, []);
  sweeps(table, [{id: '7', state: 'Done', path: '/workspaces/ABC-7'}]);
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  const effects = table.happens({type: 'issue.read', key: 'p/7', runId: null, answer});
  assert.deepEqual(cleaned(effects), []);
  assert.equal(table.claim('7'), undefined);
  assert.deepEqual(table.state.workspaces.get('p/7'), [{host, path: '/workspaces/ABC-7'}]);
  assert.deepEqual(table.confirms(anIssue({id: '7', state: 'Done'})), [], 'asked about nothing');
});

test('the workspace of an issue whose claim could not be read is left alone', () => {
  const table = new Table();
  table.project({}, []);
  table.state = {...table.state, unreadable: new Set(['p/7'])};
  const effects = sweeps(table, [{id: '7', state: 'Done', path: '/workspaces/ABC-7'}]);
  assert.deepEqual(
    effects.filter(({do: what}) => what !== 'set-timer'),
    [],
  );
});
