import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE, type RunnerReport} from '@symphony-supervisor/protocol';
import {type Claim, hasRun, type Run} from '../../../src/core/claim.ts';
import {cutOff} from '../../../src/core/life/resume.ts';
import {resultsOf} from '../../../src/core/run/results.ts';
import {runningRow} from '../../../src/core/view/claim-rows.ts';
import {anIssue, aResult, type Knobs, Table, timers} from '../builders.ts';

function running(knobs: Knobs = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  return table;
}

function report(table: Table, told: RunnerReport) {
  return table.happens({
    type: 'runner.reported',
    key: table.key(),
    runId: table.runId(),
    report: told,
  });
}

function runOf(table: Table): Run {
  const claim: Claim | undefined = table.claim();
  assert.ok(claim !== undefined && hasRun(claim));
  return claim.run;
}

const USED = {...NO_USAGE, input_tokens: 100, total_tokens: 100};

function progress(fields: Partial<Extract<RunnerReport, {type: 'agent'}>['progress']> = {}) {
  return {
    type: 'agent',
    progress: {
      ...{
        event: null,
        message: null,
        messages: 1,
        signs_of_life: 1,
        rate_limits: null,
        is_measured: true,
        models: [],
      },
      ...{usage: USED, thread_usage: USED},
      ...fields,
    },
  } as const;
}

test('every report is a heartbeat', () => {
  const {thread} = aResult();
  assert.ok(thread !== null);
  const reports: RunnerReport[] = [
    {type: 'hello', protocol: 4, pid: 7},
    {type: 'phase', phase: 'streaming_turn'},
    {type: 'workspace', path: '/workspaces/ABC-1', created: false},
    {type: 'hook_started', hook: 'before_run'},
    {type: 'hook_ended', hook: 'before_run', failure: null, duration_ms: 1, output: ''},
    {type: 'agent_started', pid: 8},
    {type: 'thread', thread, resumed: true},
    {type: 'turn_started', turn: 1, session_id: 'thread-1-turn-1', message_ids: []},
    progress(),
    {type: 'note', message: 'hm'},
    {type: 'trash_stuck', path: '/w/.symphony/trash/A-1', size_kb: null, reason: 'EPERM'},
    {type: 'heartbeat'},
    {type: 'result', result: aResult()},
    {type: 'cleaned', outcomes: [{is: 'removed'}]},
    {type: 'finished', failure: null},
    {type: 'probed', result: {version: null, logged_in: null, failure: null}},
  ];
  for (const told of reports) {
    const table = running();
    table.later(20_000);
    report(table, told);
    table.later(20_000);
    const effects = table.happens({type: 'timer.fired', timer: 'heartbeat p/1'});
    assert.deepEqual(timers(effects), {'heartbeat p/1': table.now + 10_000}, told.type);
  }
});

test('what is shown of a run: its phase, its agent, its session and turn', () => {
  const table = running();
  report(table, {type: 'phase', phase: 'streaming_turn'});
  report(table, {type: 'agent_started', pid: 8});
  report(table, {type: 'turn_started', turn: 2, session_id: 'thread-1-turn-2', message_ids: []});
  const {phase, agentPid, turn, sessionId} = runOf(table);
  assert.deepEqual([phase, agentPid, turn, sessionId], ['streaming_turn', 8, 2, 'thread-1-turn-2']);
});

test('a turn that begins restarts the stall clock, but not while it rests', () => {
  const table = running();
  table.later(200_000);
  report(table, {type: 'turn_started', turn: 1, session_id: 's', message_ids: []});
  assert.equal(runOf(table).lastHeardAt, table.now);
  report(table, {type: 'hook_started', hook: 'after_run'});
  report(table, {type: 'turn_started', turn: 2, session_id: 's', message_ids: []});
  assert.equal(runOf(table).lastHeardAt, null);
});

test('the start and the failure of a hook are logged', () => {
  const table = running();
  const logged = (told: RunnerReport) =>
    report(table, told).flatMap((effect) =>
      effect.do === 'log' ? [[effect.level, effect.event, effect.reason]] : [],
    );
  assert.deepEqual(logged({type: 'hook_started', hook: 'before_run'}), [
    ['info', 'hook.started', 'before_run'],
  ]);
  const ended = {type: 'hook_ended', hook: 'before_run', duration_ms: 1, output: ''} as const;
  assert.deepEqual(logged({...ended, failure: null}), []);
  const failure = {code: 'hook_timeout', message: 'it took too long'} as const;
  assert.deepEqual(logged({...ended, failure}), [
    ['warn', 'hook.hook_timeout', 'before_run: it took too long'],
  ]);
});

test('a note of the runner is worth a line in the log', () => {
  const effects = report(running(), {type: 'note', message: 'the lock was stale'});
  assert.deepEqual(effects, [
    {do: 'log', level: 'warn', event: 'runner.note', key: 'p/1', reason: 'the lock was stale'},
  ]);
});

test('a thread that is told again keeps the failures counted against it', () => {
  const table = running();
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}));
  table.reads(anIssue());
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  table.starts(anIssue());
  const {thread} = aResult();
  assert.ok(thread !== null);
  report(table, {type: 'thread', thread, resumed: true});
  assert.equal(table.claim()?.threadFailures, 1);
  report(table, {type: 'thread', thread: {...thread, id: 'thread-2'}, resumed: false});
  assert.equal(table.claim()?.threadFailures, 0);
});

test("a thread's own totals go on record with its progress, so that a resume counts none twice", () => {
  const table = running();
  const {thread} = aResult();
  assert.ok(thread !== null);
  report(table, {type: 'thread', thread, resumed: false});
  const whole = {...NO_USAGE, input_tokens: 900, total_tokens: 900};
  report(table, progress({thread_usage: whole}));
  assert.deepEqual(table.claim()?.thread?.usage, whole);
  assert.equal(table.counters.get('p/1')?.tokens, 100);
});

test('rate limits: the latest that were told', () => {
  const table = running();
  const window = {name: 'day', used_percent: 40, window_minutes: 300, resets_at: null};
  const limits = {windows: [window]};
  report(table, progress({rate_limits: limits}));
  report(table, progress({rate_limits: null}));
  assert.deepEqual(table.state.rateLimits, limits);
});

test('the first reason wins: tokens over the limit do not change why a run is being stopped', () => {
  const table = running({agent: {maxTokens: 100}});
  const command = {command: 'restart', key: 'p/1'} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  const effects = report(table, progress());
  assert.ok(!effects.some((effect) => effect.do === 'stop-run'));
  const claim = table.claim();
  assert.ok(claim?.is === 'stopping');
  assert.deepEqual([claim.reason, claim.next.do], ['stopped_by_operator', 'release']);
  assert.equal(table.counters.get('p/1')?.tokens, 100, 'used is used');
});

test('two tool calls at once: the stall clock rests until both are answered', () => {
  const table = running();
  const about = {key: table.key(), runId: table.runId()};
  table.happens({type: 'tool.called', ...about});
  table.happens({type: 'tool.called', ...about});
  table.happens({type: 'tool.answered', ...about, movedTo: null});
  assert.equal(runOf(table).lastHeardAt, null);
  table.happens({type: 'tool.answered', ...about, movedTo: null});
  assert.equal(runOf(table).lastHeardAt, table.now);
});

test('a stall time-out of 0 turns the stall clock off', () => {
  const table = running({agent: {stallTimeoutMs: 0}});
  assert.ok(!('stall p/1' in timers(table.all)));
  table.later(10_000_000);
  table.happens({type: 'timer.fired', timer: 'stall p/1'});
  assert.equal(table.claim()?.is, 'running');
});

test('tokens that are told with the result only are on record before the runner has ended', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const [key, runId] = [table.key(), table.runId()];
  const usage = {...NO_USAGE, input_tokens: 100, total_tokens: 100};
  const report = {type: 'result', result: aResult({usage})} as const;
  // A runner may say it twice.
  for (const _ of [1, 2]) table.happens({type: 'runner.reported', key, runId, report});
  assert.equal(table.counters.get(key)?.tokens, 100);
  const claim = table.claim();
  assert.ok(claim?.is === 'running');
  const open = [{key, runId, host: 'local', role: 'worker', attempt: null, startedAt: table.now}];
  const [cut] = cutOff(open, table.state.claims, table.now);
  assert.equal(cut?.usage.total_tokens, 100);
  table.happens({type: 'runner.exited', key, runId, how: 'exit code 0'});
  assert.equal(table.counters.get(key)?.tokens, 100);
});

test('what cannot be deleted has a line of its own, and changes nothing', () => {
  const table = running();
  const told = {type: 'trash_stuck', path: '/w/.symphony/trash/A-1-x', reason: 'EPERM'} as const;
  assert.deepEqual(report(table, {...told, size_kb: 12}), [
    {
      ...{do: 'log', level: 'warn', event: 'trash.stuck', key: table.key()},
      reason: '/w/.symphony/trash/A-1-x (12 kB) cannot be deleted, remove it as root: EPERM',
    },
  ]);
});

test('a run shows its agent, and the model as soon as the agent has named it', () => {
  const table = running();
  const shown = () => {
    const claim: Claim | undefined = table.claim();
    assert.ok(claim?.is === 'running');
    const {agent, model} = runningRow(table.state, claim);
    return [agent, model];
  };
  assert.deepEqual(shown(), ['codex', null]);
  report(table, progress({models: []}));
  assert.deepEqual(shown(), ['codex', null]);
  report(table, progress({models: [{model: 'm-1', usage: NO_USAGE}]}));
  report(table, progress({models: [{model: 'm-2', usage: NO_USAGE}]}));
  assert.deepEqual(shown(), ['codex', 'm-1'], 'the first that it named');
});

test('figures are partial while a turn is under way, and stay so if the runner dies', () => {
  const table = running();
  report(table, progress({is_partial: true}));
  assert.equal(runOf(table).isPartial, true);
  const claim: Claim | undefined = table.claim();
  assert.ok(claim?.is === 'running');
  assert.equal(runningRow(table.state, claim).usage, 'measured', 'of a run that goes on');
  report(table, progress({}));
  assert.equal(runOf(table).isPartial, false);
  report(table, progress({is_partial: true}));
  const exited = {type: 'runner.exited', key: table.key(), runId: runOf(table).id} as const;
  const effects = table.happens({...exited, how: 'signal SIGKILL'});
  const record = effects.find((effect) => effect.do === 'record-run');
  assert.equal(record?.do === 'record-run' && record.record.results.isPartial, true);
});

test('a claim of an older version shows the agent of its conversation, if it has one', () => {
  const table = running();
  const claim: Claim | undefined = table.claim();
  assert.ok(claim?.is === 'running');
  const {agent: _, model: __, isPartial: ___, ...run} = claim.run;
  const former = {...claim, run};
  assert.equal(runningRow(table.state, former).agent, null);
  const thread = {
    ...{agent: 'codex', id: 't', workspace_path: '/w', prompt_digest: '', turns: 1},
    ...{role: 'worker', phase: null, tools_digest: null},
  };
  const resumed = runningRow(table.state, {...former, thread: {...thread, usage: NO_USAGE}});
  assert.deepEqual([resumed.agent, resumed.model], ['codex', null]);
  const {agent, model, isPartial} = resultsOf(former);
  assert.deepEqual([agent, model, isPartial], [null, null, false]);
});

test('a run of an agent that does not measure says so, with the first of its progress', () => {
  const table = running();
  assert.equal(runOf(table).isMeasured, true);
  report(table, progress({is_measured: false, usage: NO_USAGE}));
  assert.equal(runOf(table).isMeasured, false);
  const claim: Claim | undefined = table.claim();
  assert.ok(claim?.is === 'running');
  assert.equal(runningRow(table.state, claim).usage, 'unmeasured');
});
