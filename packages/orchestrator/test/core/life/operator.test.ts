import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Claim, claimKey} from '../../../src/core/claim.ts';
import type {OperatorCommand} from '../../../src/core/event.ts';
import {conflictOf} from '../../../src/core/life/operator.ts';
import {resumed} from '../../../src/core/life/resume.ts';
import {emptyState} from '../../../src/core/state.ts';
import {anIssue, aResult, aWorkflow, reserved, started, Table, timers} from '../builders.ts';

const key = claimKey('p', '1');

function running(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  return table;
}

function retrying(): Table {
  const table = running();
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}));
  table.reads(anIssue());
  return table;
}

function held(): Table {
  const table = running();
  const failure = {code: 'turn_input_required', message: 'Which?'} as const;
  table.ends(aResult({outcome: 'input_required', failure, question: 'Which?'}));
  table.reads(anIssue());
  return table;
}

const RETRY = {command: 'retry', message: null} as const;

function textsOf(claim: Claim): string[] {
  return claim.messages.map(({text}) => text);
}

function command(table: Table, order: OperatorCommand) {
  return table.happens({type: 'operator.commanded', by: 'me', command: order});
}

test('stop ends the run, keeps the workspace and holds the issue', () => {
  const table = running();
  const effects = command(table, {command: 'stop', key});
  assert.ok(
    effects.some((effect) => effect.do === 'stop-run' && effect.reason === 'stopped_by_operator'),
  );
  table.ends(aResult({outcome: 'stopped_by_operator'}));
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'stopped_by_operator');
  assert.equal(claim.workspace?.path, '/workspaces/ABC-1');
});

test('retry makes a held issue due now, with a message and a clean slate', () => {
  const table = held();
  const effects = command(table, {command: 'retry', key, message: 'The blue one.'});
  assert.deepEqual(reserved(effects), ['1']);
  const claim = table.claim();
  assert.ok(claim?.is === 'running');
  assert.deepEqual(textsOf(claim), ['The blue one.']);
  assert.equal(claim.thread?.id, 'thread-1');
  assert.deepEqual(table.counters.get(key), {runs: 0, tokens: 0, idleRuns: 0});
});

test('retry of what runs or is being stopped is a conflict', () => {
  const table = running();
  assert.match(conflictOf(table.claim(), RETRY) ?? '', /running/);
  command(table, {command: 'stop', key});
  assert.match(conflictOf(table.claim(), RETRY) ?? '', /stopping/);
  const before = table.state;
  assert.deepEqual(command(table, {command: 'retry', key, message: null}), []);
  assert.deepEqual(table.state, before);
  assert.equal(conflictOf(held().claim(), RETRY), null);
});

test('stop and release can be said of whatever is claimed, and of nothing else', () => {
  for (const order of ['stop', 'restart'] as const) {
    for (const table of [running(), retrying(), held()]) {
      assert.equal(conflictOf(table.claim(), {command: order}), null);
    }
    assert.match(conflictOf(undefined, {command: order}) ?? '', /not claimed/);
    const nobodys = new Table();
    nobodys.project({}, []);
    const before = nobodys.state;
    assert.deepEqual(command(nobodys, {command: order, key}), []);
    assert.deepEqual(nobodys.state, before);
  }
});

test('stop holds what waits for a retry, and leaves what is held as it is', () => {
  const waiting = retrying();
  command(waiting, {command: 'stop', key});
  const claim = waiting.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'stopped_by_operator');
  const asked = held();
  const before = asked.claim();
  command(asked, {command: 'stop', key});
  assert.deepEqual(asked.claim(), before);
});

test('what an operator says while a run is being stopped decides what follows', () => {
  const rows = [
    ['stop', 'held'],
    ['restart', undefined],
  ] as const;
  for (const [order, becomes] of rows) {
    const table = running();
    table.later(300_000);
    table.happens({type: 'timer.fired', timer: `stall ${key}`});
    command(table, {command: order, key});
    table.ends(aResult({outcome: 'stalled'}));
    table.reads(anIssue());
    assert.equal(table.claim()?.is, becomes);
  }
});

test('what an operator says while the handoff is written counts if the write fails', () => {
  const rows = [
    ['stop', 'held'],
    ['restart', undefined],
  ] as const;
  for (const [order, becomes] of rows) {
    const table = new Table();
    table.project({tracker: {handoffState: 'Review'}}, [anIssue()]);
    table.starts(anIssue());
    table.ends(aResult());
    table.reads(anIssue());
    command(table, {command: order, key});
    table.happens({type: 'state.written', key, runId: table.runId(), answer: 'failed'});
    assert.equal(table.claim()?.is, becomes);
  }
});

test('stop comes too late for a workspace that is being cleaned: its issue is over', () => {
  const table = running();
  table.ends(aResult());
  table.reads(anIssue({state: 'Done'}));
  command(table, {command: 'stop', key});
  const path = '/workspaces/ABC-1';
  table.happens({type: 'workspace.cleaned', key, path, outcome: {is: 'removed'}});
  assert.equal(table.claim(), undefined);
});

test('retry makes a retrying issue due now, at its attempt; a message is kept until it is told', () => {
  const table = retrying();
  command(table, {command: 'pause', project: null});
  command(table, {command: 'retry', key, message: 'Look at line 3.'});
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.attempt, claim.dueAt], [1, table.now]);
  command(table, {command: 'retry', key, message: null});
  command(table, {command: 'resume', project: null});
  const taken = table.claim();
  assert.ok(taken?.is === 'running');
  assert.deepEqual([taken.run.attempt, textsOf(taken)], [1, ['Look at line 3.']]);
});

test('retry of an issue that was held before it had a thread is a first run', () => {
  const table = running();
  const failure = {code: 'template_parse_error', message: 'line 1'} as const;
  table.ends(aResult({outcome: 'failed', failure, thread: null}));
  table.reads(anIssue());
  assert.deepEqual(reserved(command(table, {command: 'retry', key, message: null})), ['1']);
  const claim = table.claim();
  assert.ok(claim?.is === 'running');
  assert.deepEqual([claim.run.attempt, claim.run.retry, claim.thread], [null, null, null]);
});

test('pause and refresh are for one project, or for all', () => {
  const rows: [string | null, string[]][] = [
    ['a', ['a']],
    [null, ['a', 'b']],
  ];
  for (const [project, names] of rows) {
    const table = new Table();
    table.project({name: 'a'}, []);
    table.project({name: 'b'}, []);
    table.later(1_000);
    const fetched = command(table, {command: 'refresh', project}).flatMap((effect) =>
      effect.do === 'read-candidates' ? [effect.project] : [],
    );
    assert.deepEqual(fetched, names);
    command(table, {command: 'pause', project});
    const paused = [...table.state.projects.values()].filter(({isPaused}) => isPaused);
    assert.deepEqual(
      paused.map(({name}) => name),
      names,
    );
  }
});

test('release ends any run and drops claim, thread and counters', () => {
  const table = running();
  command(table, {command: 'restart', key});
  table.ends(aResult({outcome: 'stopped_by_operator'}));
  table.reads(anIssue());
  assert.equal(table.claim(), undefined);
  const let_go = held();
  command(let_go, {command: 'restart', key});
  assert.equal(let_go.claim(), undefined);
});

test('a stop before a continuation leaves its slot to the next', () => {
  const table = new Table();
  table.project({agent: {maxConcurrentAgents: 1}}, [anIssue(), anIssue({id: '2'})]);
  table.starts(anIssue());
  table.ends(aResult());
  table.reads(anIssue());
  assert.deepEqual(reserved(command(table, {command: 'stop', key})), ['2']);
});

test('pause stops dispatch, retries included, and resume takes it up again', () => {
  const table = running();
  table.ends(aResult());
  table.reads(anIssue());
  command(table, {command: 'pause', project: 'p'});
  table.later(1000);
  assert.deepEqual(reserved(table.happens({type: 'timer.fired', timer: `retry ${key}`})), []);
  const waiting = table.claim();
  assert.ok(waiting?.is === 'retrying');
  assert.match(waiting.waitsFor ?? '', /paused/);
  assert.deepEqual(reserved(command(table, {command: 'resume', project: null})), ['1']);
});

test('shutdown asks every run to end, and exits when the last is gone', () => {
  const table = running();
  const effects = table.happens({type: 'shutdown.requested', withinMs: 20_000});
  const stop = {do: 'stop-run', runId: table.runId(), reason: 'interrupted', withinMs: 20_000};
  assert.deepEqual(
    effects.filter(({do: order}) => order === 'stop-run'),
    [stop],
  );
  assert.ok(!effects.some((effect) => effect.do === 'exit'));
  const last = table.ends(aResult({outcome: 'interrupted'}));
  assert.ok(last.some((effect) => effect.do === 'exit'));
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.attempt, null);
  assert.equal(claim.counts, false);
});

test('a run that was being stopped already is told how little time is left', () => {
  const table = running();
  command(table, {command: 'stop', key});
  const effects = table.happens({type: 'shutdown.requested', withinMs: 20_000});
  const stop = {do: 'stop-run', runId: table.runId(), reason: 'interrupted', withinMs: 20_000};
  assert.deepEqual(effects, [stop]);
  table.ends(aResult({outcome: 'stopped_by_operator'}));
  assert.equal(table.claim()?.is, 'held');
});

test('a shutdown before the launch does not lose what an operator said', () => {
  const table = held();
  command(table, {command: 'retry', key, message: 'The blue one.'});
  table.happens({type: 'shutdown.requested', withinMs: 20_000});
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual(textsOf(claim), ['The blue one.']);
});

test('after a restart a run goes on with its attempt and thread; holds and delays are kept', () => {
  const former = new Table();
  former.project({}, [anIssue({id: '1'}), anIssue({id: '2'}), anIssue({id: '3'})]);
  for (const id of ['1', '2', '3']) former.starts(anIssue({id}));
  const thread = aResult().thread;
  assert.ok(thread !== null);
  const report = {type: 'thread', thread, resumed: false} as const;
  former.happens({type: 'runner.reported', key, runId: former.runId('1'), report});
  former.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}), '2');
  former.reads(anIssue({id: '2'}));
  former.ends(
    aResult({outcome: 'failed', failure: {code: 'workspace_conflict', message: 'no'}}),
    '3',
  );
  former.reads(anIssue({id: '3'}));

  const table = new Table();
  table.later(4000);
  table.state = resumed(emptyState('next'), former.state.claims, table.now);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  const effects = table.happens({type: 'supervisor.started'});
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  assert.equal(timers(effects)['retry p/2'], table.now - 4000 + 10_000);
  assert.equal(table.claim('3')?.is, 'held');
  const claim = table.claim('1');
  assert.ok(claim?.is === 'running');
  assert.equal(claim.run.attempt, null);
  assert.equal(claim.thread?.id, 'thread-1');
  assert.deepEqual(started(table.reads(anIssue({id: '1'}))), ['p/1']);
});
