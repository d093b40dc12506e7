import assert from 'node:assert/strict';
import {test} from 'node:test';
import {resumed} from '../../../src/core/life/resume.ts';
import {emptyState} from '../../../src/core/state.ts';
import {isRefused} from '../../../src/core/tracker/refusal.ts';
import {anIssue, aResult, aWorkflow, reserved, started, Table} from '../builders.ts';

function onceTable(): Table {
  const table = new Table();
  table.state = {...table.state, once: {over: [], trouble: []}};
  return table;
}

function hasExited(table: Table): boolean {
  return table.all.some((effect) => effect.do === 'exit');
}

test('once: one tick, then the end of its runs; a clean run is not continued', () => {
  const table = onceTable();
  const issue = anIssue();
  assert.deepEqual(reserved(table.project({}, [issue])), ['1']);
  table.happens({type: 'supervisor.started'});
  table.starts(issue);
  assert.equal(hasExited(table), false);
  table.ends(aResult());
  table.reads(issue);
  assert.equal(table.claim()?.is, 'retrying', 'what is left to do stays on record');
  assert.equal(hasExited(table), true);
  assert.deepEqual(table.state.once?.trouble, []);
  table.later(60_000);
  assert.deepEqual(reserved(table.happens({type: 'timer.fired', timer: 'retry p/1'})), []);
});

test('once: a freed slot is not filled again, and nobody polls', () => {
  const table = onceTable();
  const knobs = {agent: {maxConcurrentAgents: 1}};
  table.project(knobs, [anIssue({id: '1'}), anIssue({id: '2'})]);
  table.happens({type: 'supervisor.started'});
  table.starts(anIssue({id: '1'}));
  assert.deepEqual(table.happens({type: 'timer.fired', timer: 'poll p'}), []);
  table.ends(aResult());
  const after = table.reads(anIssue({id: '1', state: 'Review'}));
  assert.deepEqual(started(after), []);
  assert.equal(table.claim('2'), undefined);
  assert.equal(hasExited(table), true);
});

test('once: a run that does not end normally is trouble', () => {
  const table = onceTable();
  const issue = anIssue();
  table.project({}, [issue]);
  table.happens({type: 'supervisor.started'});
  table.starts(issue);
  const failure = {code: 'turn_failed', message: 'no'} as const;
  table.ends(aResult({outcome: 'failed', failure}));
  table.reads(issue);
  assert.deepEqual(table.state.once?.trouble, ['ABC-1: failed: turn_failed: no']);
  assert.equal(hasExited(table), true);
});

test('once: an agent that cannot be started is trouble, and a slow check of it is waited for', () => {
  const table = onceTable();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'supervisor.started'});
  table.happens({
    type: 'candidates.read',
    scope: 0,
    project: 'p',
    answer: {ok: true, value: [anIssue()]},
  });
  assert.equal(hasExited(table), false);
  const failure = {code: 'agent_not_found', message: 'no such command'} as const;
  table.happens({
    type: 'agent.probed',
    project: 'p',
    result: {version: null, logged_in: null, failure},
  });
  assert.match(table.state.once?.trouble.join() ?? '', /p: agent_not_found/);
  assert.equal(hasExited(table), true);
});

test('once: a tracker that cannot be read is trouble, also if the agent is found well after that', () => {
  const table = onceTable();
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'supervisor.started'});
  const down = {ok: false, message: 'tracker_request: down', notBefore: null} as const;
  table.happens({type: 'candidates.read', scope: 0, project: 'p', answer: down});
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  assert.deepEqual(table.state.once?.trouble, ['p: tracker_request: down']);
  assert.equal(hasExited(table), true);
});

test('once: it does not end before every project is loaded', () => {
  const table = onceTable();
  table.project({name: 'a'}, []);
  assert.equal(hasExited(table), false);
  table.project({name: 'b'}, []);
  table.happens({type: 'supervisor.started'});
  assert.equal(hasExited(table), true);
});

const REFUSAL = {ok: false, message: 'tracker_auth: no', notBefore: null, isRefusal: true} as const;

test('refused by the tracker of every project at the first read: it ends', () => {
  const table = new Table();
  table.happens({type: 'project.loaded', workflow: aWorkflow({name: 'a'})});
  table.happens({type: 'candidates.read', scope: 0, project: 'a', answer: REFUSAL});
  assert.equal(hasExited(table), false, 'the other project is not loaded yet');
  table.happens({type: 'project.loaded', workflow: aWorkflow({name: 'b'})});
  table.happens({type: 'supervisor.started'});
  table.happens({type: 'candidates.read', scope: 0, project: 'b', answer: REFUSAL});
  assert.equal(hasExited(table), true);
  assert.equal(isRefused(table.state), true);
});

test('refused later, by one of two, or not reached at all: it goes on', () => {
  const down = {ok: false, message: 'down', notBefore: null} as const;
  for (const first of [down, {ok: true, value: []} as const]) {
    const table = new Table();
    table.happens({type: 'project.loaded', workflow: aWorkflow()});
    table.happens({type: 'supervisor.started'});
    table.happens({type: 'candidates.read', scope: 0, project: 'p', answer: first});
    table.happens({type: 'timer.fired', timer: 'poll p'});
    table.happens({type: 'candidates.read', scope: 0, project: 'p', answer: REFUSAL});
    assert.equal(hasExited(table), false);
  }
  const table = new Table();
  table.project({name: 'a'}, []);
  table.happens({type: 'project.loaded', workflow: aWorkflow({name: 'b'})});
  table.happens({type: 'supervisor.started'});
  table.happens({type: 'candidates.read', scope: 0, project: 'b', answer: REFUSAL});
  assert.equal(hasExited(table), false);
});

test('refused at the first read: nothing that was left to do is started before the end', () => {
  const former = new Table();
  former.project({}, [anIssue()]);
  former.starts(anIssue());
  const table = new Table();
  table.state = resumed(emptyState('next'), former.state.claims, table.now);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'supervisor.started'});
  // The file is broken for a moment, so the run waits although its agent is there.
  table.happens({type: 'project.broken', project: 'p', problem: 'no'});
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const refused = {project: 'p', scope: 0, ids: ['1'], answer: REFUSAL};
  const effects = table.happens({type: 'claimed.read', ...refused});
  assert.deepEqual(reserved(effects), []);
  assert.equal(hasExited(table), true);
});

test('refused at the first read while a run is resumed: that run is asked to end first', () => {
  const former = new Table();
  former.project({}, [anIssue()]);
  former.starts(anIssue());
  const table = new Table();
  table.state = resumed(emptyState('next'), former.state.claims, table.now);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'supervisor.started'});
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  table.starts(anIssue());
  const refused = {project: 'p', scope: 0, ids: ['1'], answer: REFUSAL};
  const effects = table.happens({type: 'claimed.read', ...refused});
  assert.ok(effects.some((effect) => effect.do === 'stop-run' && effect.reason === 'interrupted'));
  assert.equal(hasExited(table), false);
  table.ends(aResult({outcome: 'interrupted'}));
  assert.equal(hasExited(table), true);
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying' && claim.kind === 'resume');
});
