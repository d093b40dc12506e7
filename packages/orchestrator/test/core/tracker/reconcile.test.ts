import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Issue} from '@symphony-supervisor/protocol';
import {anIssue, aResult, aWorkflow, reserved, Table, timers} from '../builders.ts';

function running(knobs: Parameters<Table['project']>[0] = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  return table;
}

/** One tick up to the answer of its first read. */
function tick(table: Table, found: readonly Issue[] | 'down') {
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer =
    found === 'down'
      ? ({ok: false, message: 'down', notBefore: null} as const)
      : ({ok: true, value: found} as const);
  const effects = table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer: {ok: true, value: []}});
  return effects;
}

test('a running issue: over → stop and clean; elsewhere, unroutable or gone → stop and keep', () => {
  const table: [Issue[], 'clean' | 'release' | null][] = [
    [[anIssue({state: 'Done'})], 'clean'],
    [[anIssue({state: 'Review'})], 'release'],
    [[anIssue({dispatchable: false})], 'release'],
    [[], 'release'],
    [[anIssue({title: 'Another'})], null],
  ];
  for (const [found, next] of table) {
    const scene = running();
    const effects = tick(scene, found);
    const claim = scene.claim();
    assert.equal(
      effects.some((effect) => effect.do === 'stop-run'),
      next !== null,
    );
    if (next === null) assert.equal(claim?.issue.title, 'Another');
    else assert.equal(claim?.is === 'stopping' ? claim.next.do : null, next);
  }
});

test('a read that fails stops nothing, and dispatch of due retries goes on', () => {
  const table = running();
  const effects = tick(table, 'down');
  assert.equal(table.claim()?.is, 'running');
  assert.ok(effects.some((effect) => effect.do === 'read-candidates'));
});

test('while only the list of candidates has to wait, claims are read at every interval', () => {
  const later = (table: Table) =>
    ({ok: false, message: 'later', notBefore: table.now + 3_600_000}) as const;
  const list = (table: Table) => {
    const answer = later(table);
    return timers(table.happens({type: 'candidates.read', project: 'p', scope: 0, answer}));
  };
  const table = running({intervalMs: 30_000});
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.equal(list(table)['poll p'], table.now + 30_000);

  const withoutClaims = new Table();
  withoutClaims.project({intervalMs: 30_000}, []);
  withoutClaims.happens({type: 'timer.fired', timer: 'poll p'});
  assert.equal(list(withoutClaims)['poll p'], withoutClaims.now + 3_600_000);

  const neither = running({intervalMs: 30_000});
  neither.happens({type: 'timer.fired', timer: 'poll p'});
  const down = {ok: false, message: 'down', notBefore: null} as const;
  neither.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer: down});
  assert.equal(list(neither)['poll p'], neither.now + 3_600_000);
});

test('held and retrying issues are reconciled too', () => {
  const retrying = running();
  retrying.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}));
  retrying.reads(anIssue());
  tick(retrying, [anIssue({state: 'Review'})]);
  assert.equal(retrying.claim(), undefined);

  const held = running();
  held.ends(aResult({outcome: 'failed', failure: {code: 'template_parse_error', message: 'no'}}));
  held.reads(anIssue());
  tick(held, [anIssue()]);
  assert.equal(held.claim()?.is, 'held');
  tick(held, [anIssue({state: 'In Progress'})]);
  assert.equal(held.claim(), undefined, 'another state lets it go');
});

test('a retrying or held issue that is over is cleaned, and released', () => {
  for (const code of ['turn_failed', 'template_parse_error'] as const) {
    const table = running();
    table.ends(aResult({outcome: 'failed', failure: {code, message: 'no'}}));
    table.reads(anIssue());
    tick(table, [anIssue({state: 'Done'})]);
    const effects = table.confirms(anIssue({state: 'Done'}));
    const path = '/workspaces/ABC-1';
    assert.ok(effects.some((effect) => effect.do === 'clean-workspace' && effect.path === path));
    table.happens({type: 'workspace.cleaned', key: 'p/1', path, outcome: {is: 'removed'}});
    assert.equal(table.claim(), undefined);
  }
});

test('a held issue that leaves the active states is let go: nothing is counted against it any more', () => {
  for (const found of [[anIssue({state: 'Review'})], [anIssue({state: 'Done'})], []]) {
    const table = running({agent: {maxRuns: 1}});
    table.ends(aResult());
    table.reads(anIssue());
    assert.equal(table.claim()?.is, 'held');
    tick(table, found);
    assert.notEqual(table.claim()?.is, 'held');
    assert.deepEqual(table.counters.get('p/1'), {runs: 0, tokens: 0, idleRuns: 0});
  }
});

test('an issue that is being stopped is read too, but only the read after its end decides', () => {
  const table = running();
  tick(table, [anIssue({state: 'Review'})]);
  tick(table, [anIssue({title: 'Another'})]);
  const claim = table.claim();
  assert.ok(claim?.is === 'stopping');
  assert.deepEqual([claim.issue.title, claim.next.do], ['Another', 'release']);
});

test('a read is about the issues that were asked for, of its own project', () => {
  const table = running();
  table.project({name: 'other'}, [anIssue()]);
  table.starts(anIssue(), 'other');
  tick(table, [anIssue({state: 'Done'})]);
  assert.equal(table.claim('1', 'p')?.is, 'stopping');
  assert.equal(table.claim('1', 'other')?.is, 'running');
  const answer = {ok: true, value: []} as const;
  table.happens({type: 'claimed.read', project: 'other', scope: 0, ids: ['2'], answer});
  assert.equal(table.claim('1', 'other')?.is, 'running', 'claimed since it was asked');
});

test('a held issue is let go by a good reload, if configuration held it', () => {
  for (const [code, isLetGo] of [
    ['template_parse_error', true],
    ['workspace_conflict', false],
  ] as const) {
    const table = running();
    table.ends(aResult({outcome: 'failed', failure: {code, message: 'no'}}));
    table.reads(anIssue());
    table.happens({type: 'project.loaded', workflow: aWorkflow()});
    assert.equal(table.claim() === undefined, isLetGo, code);
  }
});

test('its own transition does not kill a run: it ends after its turn, at most 60 s later', () => {
  const table = running();
  const [key, runId] = [table.key(), table.runId()];
  const called = table.happens({type: 'tool.answered', key, runId, movedTo: 'Done'});
  assert.equal(timers(called)[`turn-end ${key}`], table.now + 60_000);
  tick(table, [anIssue({state: 'Done'})]);
  assert.equal(table.claim()?.is, 'running');
  table.later(60_000);
  const effects = table.happens({type: 'timer.fired', timer: `turn-end ${key}`});
  assert.ok(effects.some((effect) => effect.do === 'stop-run'));
  table.ends(aResult({outcome: 'canceled_by_reconciliation'}));
  table.reads(anIssue({state: 'Done'}));
  assert.ok(table.effects.some((effect) => effect.do === 'clean-workspace'));
});

test('what a tick reads while a tool call is under way does not stop the run', () => {
  const table = running();
  table.happens({type: 'tool.called', key: table.key(), runId: table.runId()});
  tick(table, [anIssue({state: 'Done'})]);
  assert.equal(table.claim()?.is, 'running');
  table.happens({type: 'tool.answered', key: table.key(), runId: table.runId(), movedTo: null});
  tick(table, [anIssue({state: 'Done'})]);
  assert.equal(table.claim()?.is, 'stopping', 'it was not the call, so it was somebody else');
});

test('a change by anybody else stops it at once, whatever it moved itself', () => {
  const table = running();
  table.happens({type: 'tool.answered', key: table.key(), runId: table.runId(), movedTo: 'Review'});
  tick(table, [anIssue({state: 'Done'})]);
  assert.equal(table.claim()?.is, 'stopping');
});

test('a stalled issue is not started again before its backoff, and its attempt has grown', () => {
  const table = running();
  table.later(300_000);
  const effects = table.happens({type: 'timer.fired', timer: 'stall p/1'});
  assert.ok(effects.some((effect) => effect.do === 'stop-run' && effect.reason === 'stalled'));
  table.ends(aResult({outcome: 'stalled'}));
  assert.deepEqual(reserved(table.reads(anIssue())), []);
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.attempt, 1);
  assert.equal(claim.dueAt, table.now + 10_000);
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  assert.deepEqual(
    reserved(table.happens({type: 'candidates.read', project: 'p', scope: 0, answer})),
    [],
  );
});

test('the stall clock restarts with signs of life, and rests in hooks and tool calls', () => {
  const table = running();
  const [key, runId] = [table.key(), table.runId()];
  const report = (event: object) =>
    table.happens({type: 'runner.reported', key, runId, report: event as never});
  const fires = () => table.happens({type: 'timer.fired', timer: `stall ${key}`});
  table.later(299_000);
  report({type: 'phase', phase: 'streaming_turn'});
  table.later(2000);
  assert.deepEqual(timers(fires()), {[`stall ${key}`]: table.now - 2000 + 300_000});
  report({type: 'hook_started', hook: 'after_run'});
  table.later(1_000_000);
  assert.deepEqual(fires(), []);
  const ended = {type: 'hook_ended', hook: 'after_run', failure: null, duration_ms: 1, output: ''};
  assert.deepEqual(timers(report(ended)), {[`stall ${key}`]: table.now + 300_000});
  table.happens({type: 'tool.called', key, runId});
  table.later(1_000_000);
  assert.deepEqual(fires(), []);
  const answered = table.happens({type: 'tool.answered', key, runId, movedTo: null});
  assert.deepEqual(timers(answered), {[`stall ${key}`]: table.now + 300_000});
});

test('"will retry" notices do not restart the stall clock', () => {
  const table = running();
  const [key, runId] = [table.key(), table.runId()];
  table.later(299_000);
  const progress = {
    event: 'notification' as const,
    ...{message: 'Reconnecting', messages: 5, signs_of_life: 0},
    ...{
      usage: aResult().usage,
      thread_usage: aResult().usage,
      rate_limits: null,
      is_measured: true,
      models: [],
    },
  };
  table.happens({type: 'runner.reported', key, runId, report: {type: 'agent', progress}});
  table.later(1000);
  table.happens({type: 'timer.fired', timer: `stall ${key}`});
  assert.equal(table.claim()?.is, 'stopping');
});

test('no heartbeat for 30 s: everything with the run id is killed', () => {
  const table = running();
  const [key, runId] = [table.key(), table.runId()];
  table.later(20_000);
  table.happens({type: 'runner.reported', key, runId, report: {type: 'heartbeat'}});
  table.later(10_000);
  const early = table.happens({type: 'timer.fired', timer: `heartbeat ${key}`});
  assert.deepEqual(timers(early), {[`heartbeat ${key}`]: table.now + 20_000});
  table.later(20_000);
  const late = table.happens({type: 'timer.fired', timer: `heartbeat ${key}`});
  assert.deepEqual(
    late.filter((effect) => effect.do === 'kill-run'),
    [{do: 'kill-run', runId}],
  );
});
