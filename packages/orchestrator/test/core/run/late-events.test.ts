import assert from 'node:assert/strict';
import {test} from 'node:test';
import {anIssue, aResult, aWorkflow, Table, timers} from '../builders.ts';

// An event can outlive what it is about: a runner said it before it read our stop, a timer was replaced
// while it fired. Then it changes nothing, and nothing follows from it.

type Happening = Parameters<Table['happens']>[0];

function running(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  return table;
}

function changesNothing(table: Table, event: Happening): void {
  const before = table.state;
  assert.deepEqual(table.happens(event), [], event.type);
  assert.deepEqual(table.state, before, event.type);
}

const FAILED = aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}});

/** Every event that is about a run. */
function aboutRun(key: string, runId: string): Happening[] {
  return [
    {type: 'issue.read', key, runId, answer: {ok: true, value: anIssue({state: 'Done'})}},
    {type: 'state.written', key, runId, answer: 'written'},
    {type: 'runner.started', key, runId, process: {pid: 1, startedAt: 'then'}},
    {type: 'runner.reported', key, runId, report: {type: 'heartbeat'}},
    {type: 'runner.exited', key, runId, how: 'exit code 1'},
    {type: 'run.finished', key, runId},
    {type: 'tool.called', key, runId},
    {type: 'tool.answered', key, runId, movedTo: 'Done'},
  ];
}

test('what is said about a run that is over changes nothing', () => {
  const former = running();
  const runId = former.runId();
  former.ends(FAILED);
  former.reads(anIssue());
  assert.equal(former.claim()?.is, 'retrying');
  for (const event of aboutRun('p/1', runId)) changesNothing(former, event);

  former.later(10_000);
  former.happens({type: 'timer.fired', timer: 'retry p/1'});
  former.starts(anIssue());
  for (const event of aboutRun('p/1', runId)) changesNothing(former, event);
});

test('an answer that nobody waits for any more changes nothing', () => {
  const table = running();
  const [key, runId] = [table.key(), table.runId()];
  const value = anIssue({state: 'Done'});
  changesNothing(table, {type: 'issue.read', key, runId, answer: {ok: true, value}});
  changesNothing(table, {type: 'state.written', key, runId, answer: 'written'});
  changesNothing(table, {type: 'run.finished', key, runId});
  const path = '/workspaces/ABC-1';
  changesNothing(table, {type: 'workspace.cleaned', key, path, outcome: {is: 'removed'}});
});

test('a tool call of a run that is being stopped moves nothing and starts no clock', () => {
  const table = running();
  const [key, runId] = [table.key(), table.runId()];
  const command = {command: 'stop', key} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  changesNothing(table, {type: 'tool.called', key, runId});
  changesNothing(table, {type: 'tool.answered', key, runId, movedTo: 'Done'});
});

test('a timer of a claim that is gone, or that waits for something else, does nothing', () => {
  const gone = new Table();
  gone.project({}, []);
  const retrying = running();
  retrying.ends(FAILED);
  retrying.reads(anIssue());
  for (const table of [gone, retrying]) {
    for (const kind of ['retry', 'stall', 'heartbeat', 'turn-end'] as const) {
      changesNothing(table, {type: 'timer.fired', timer: `${kind} p/1`});
    }
  }
});

test('the end of a turn that an earlier run had to come to does not end this one', () => {
  const table = running();
  table.later(60_000);
  changesNothing(table, {type: 'timer.fired', timer: 'turn-end p/1'});
});

test('what is said about a project that nobody knows changes nothing', () => {
  const table = running();
  const answer = {ok: true, value: []} as const;
  const project = 'unknown';
  changesNothing(table, {type: 'tracker.changed', project});
  changesNothing(table, {type: 'candidates.read', project, scope: 0, answer});
  changesNothing(table, {type: 'timer.fired', timer: 'sweep unknown'});
});

test('an agent that a run has found missing stays blocked, whatever a check begun before says', () => {
  const table = running();
  const agent = {command: 'another-agent'};
  table.later(1_000);
  table.happens({type: 'project.loaded', workflow: aWorkflow({agent})});
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.equal(table.state.projects.get('p')?.agent.is, 'probing');
  table.ends(aResult({outcome: 'failed', failure: {code: 'unauthorized', message: 'no'}}));
  const result = {version: '1', logged_in: true, failure: null};
  changesNothing(table, {type: 'agent.probed', project: 'p', result});
  assert.equal(table.state.projects.get('p')?.agent.is, 'blocked');
});

test('while it shuts down, what is left of a tick, a check or a sweep is skipped', () => {
  const table = running();
  table.happens({type: 'workspaces.found', project: 'p', scope: 0, answer: {ok: true, value: []}});
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const effects = table.happens({type: 'shutdown.requested', withinMs: 1000});
  assert.deepEqual(timers(effects), {});
  const answer = {ok: true, value: [anIssue({state: 'Done'})]} as const;
  changesNothing(table, {type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  changesNothing(table, {type: 'timer.fired', timer: 'poll p'});
  changesNothing(table, {type: 'timer.fired', timer: 'sweep p'});
  const again = table.happens({type: 'shutdown.requested', withinMs: 5000});
  const runId = table.runId();
  assert.deepEqual(again, [{do: 'stop-run', runId, reason: 'interrupted', withinMs: 5000}]);

  const fetching = running();
  fetching.happens({type: 'timer.fired', timer: 'poll p'});
  fetching.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  fetching.happens({type: 'shutdown.requested', withinMs: 1000});
  changesNothing(fetching, {
    type: 'candidates.read',
    project: 'p',
    scope: 0,
    answer: {ok: true, value: [anIssue({id: '2'})]},
  });
});

test('an agent that is missing is not looked for while it shuts down', () => {
  const table = running();
  table.ends(aResult({outcome: 'failed', failure: {code: 'unauthorized', message: 'no'}}));
  table.happens({type: 'shutdown.requested', withinMs: 1000});
  table.later(10_000);
  const effects = table.happens({type: 'timer.fired', timer: 'probe p'});
  assert.ok(!effects.some((effect) => effect.do === 'probe-agent'));
  assert.equal(table.state.projects.get('p')?.agent.is, 'blocked');
});
