import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {FailureCode} from '@symphony-supervisor/protocol';
import {takesSlot} from '../../../src/core/dispatch/slots.ts';
import {anIssue, aResult, IDLE_RESULT, reserved, started, Table, timers} from '../builders.ts';

/** One run of one issue, ended as told, and read afterwards. */
function afterOne(
  result: Parameters<typeof aResult>[0],
  knobs: Parameters<Table['project']>[0] = {},
): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  table.ends(aResult(result));
  return table;
}

function failing(code: FailureCode, message = 'no') {
  return {outcome: 'failed', failure: {code, message}} as const;
}

test('normally, issue still active: continuation after 1000 ms, attempt 1, same thread', () => {
  const table = afterOne({});
  const effects = table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.kind, 'continuation');
  assert.equal(claim.attempt, 1);
  assert.equal(claim.thread?.id, 'thread-1');
  assert.equal(timers(effects)['retry p/1'], table.now + 1000);
});

test('normally, issue no longer active: released; terminal: cleaned, then released', () => {
  const gone = afterOne({});
  gone.reads(anIssue({state: 'Review'}));
  assert.equal(gone.claim(), undefined);
  const done = afterOne({});
  const effects = done.reads(anIssue({state: 'Done'}));
  assert.deepEqual(
    effects.filter((effect) => effect.do === 'clean-workspace'),
    [
      {
        ...{do: 'clean-workspace', key: 'p/1', keepWork: true},
        ...{host: 'local', path: '/workspaces/ABC-1'},
      },
    ],
  );
  assert.equal(done.claim()?.is, 'stopping');
  done.happens({
    type: 'workspace.cleaned',
    key: 'p/1',
    path: '/workspaces/ABC-1',
    outcome: {is: 'removed'},
  });
  assert.equal(done.claim(), undefined);
});

test('an issue that its own run has finished is not handed off, though it cannot be read', () => {
  const table = new Table();
  table.project({tracker: {handoffState: 'Review'}}, [anIssue()]);
  table.starts(anIssue());
  const [key, runId] = [table.key(), table.runId()];
  table.happens({type: 'tool.called', key, runId});
  table.happens({type: 'tool.answered', key, runId, movedTo: 'Done'});
  table.ends(aResult());
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  const effects = table.happens({type: 'issue.read', key, runId, answer});
  assert.deepEqual(
    effects.flatMap((effect) => (effect.do === 'write-state' ? effect.state : [])),
    [],
  );
  assert.ok(
    table.confirms(anIssue({state: 'Done'})).some(({do: what}) => what === 'clean-workspace'),
  );
});

test('handoff: written after a clean run whose issue is still active, then released', () => {
  const table = afterOne({}, {tracker: {handoffState: 'Review'}});
  const effects = table.reads(anIssue());
  assert.ok(effects.some((effect) => effect.do === 'write-state' && effect.state === 'Review'));
  table.happens({type: 'state.written', key: 'p/1', runId: table.runId(), answer: 'written'});
  assert.equal(table.claim(), undefined);
});

test('handoff: a failed write is a continuation, a conflict is read again', () => {
  const failed = afterOne({}, {tracker: {handoffState: 'Review'}});
  failed.reads(anIssue());
  failed.happens({type: 'state.written', key: 'p/1', runId: failed.runId(), answer: 'failed'});
  const claim = failed.claim();
  assert.ok(claim?.is === 'retrying' && claim.kind === 'continuation');
  const said = failed.effects.find((effect) => effect.do === 'log');
  assert.deepEqual([said?.level, said?.event], ['warn', 'handoff.failed']);

  const conflict = afterOne({}, {tracker: {handoffState: 'Review'}});
  conflict.reads(anIssue());
  const event = {
    type: 'state.written',
    key: 'p/1',
    runId: conflict.runId(),
    answer: 'conflict',
  } as const;
  assert.deepEqual(reserved(conflict.happens(event)), ['1']);
  const effects = conflict.reads(anIssue({state: 'Done'}));
  assert.ok(!effects.some((effect) => effect.do === 'write-state'), 'a person was overwritten');
});

test('a failure worth retrying: 10, 20, 40, 80, 160 s, up to the limit; then held', () => {
  const table = new Table();
  const agent = {maxConsecutiveFailures: 8, maxRetryBackoffMs: 300_000};
  table.project({agent}, [anIssue()]);
  const delays: number[] = [];
  for (let failures = 1; failures <= 8; failures++) {
    table.starts(anIssue());
    table.ends(aResult(failing('turn_failed')));
    table.reads(anIssue());
    const claim = table.claim();
    if (claim?.is !== 'retrying') break;
    assert.equal(claim.attempt, failures);
    delays.push((claim.dueAt - table.now) / 1000);
    table.now = claim.dueAt;
    table.happens({type: 'timer.fired', timer: 'retry p/1'});
  }
  assert.deepEqual(delays, [10, 20, 40, 80, 160, 300, 300]);
  const held = table.claim();
  assert.ok(held?.is === 'held');
  assert.equal(held.because.code, 'limit_failures');
});

test('the fifth failure in a row holds, by default', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  for (let runs = 1; table.claim()?.is !== 'held'; runs++) {
    assert.ok(runs <= 5, 'not held after five failures');
    table.starts(anIssue());
    table.ends(aResult(failing('port_exit')));
    table.reads(anIssue());
    const claim = table.claim();
    if (claim?.is === 'retrying') {
      table.now = claim.dueAt;
      table.happens({type: 'timer.fired', timer: 'retry p/1'});
    }
  }
  assert.equal(table.counters.get('p/1')?.runs, 5);
});

test('a failure of this issue that a retry cannot mend: held, with what to do', () => {
  for (const code of [
    'template_render_error',
    'invalid_workspace_cwd',
    'workspace_conflict',
    'untrusted_repository',
  ] as const) {
    const table = afterOne(failing(code, 'mend it'));
    table.reads(anIssue());
    const claim = table.claim();
    assert.ok(claim?.is === 'held');
    assert.deepEqual(claim.because, {code, message: 'mend it'});
  }
});

test('a failure of the host: the issue waits at the same attempt, the project stops', () => {
  const resetsAt = new Date(5_000_000).toISOString();
  const failure = {code: 'usage_limit', message: 'used up', resets_at: resetsAt} as const;
  const table = afterOne({outcome: 'failed', failure});
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.attempt, null);
  assert.equal(claim.failures, 0);
  assert.match(claim.waitsFor ?? '', /used up/);
  const agent = table.state.projects.get('p')?.agent;
  assert.ok(agent?.is === 'blocked');
  assert.equal(agent.until, 5_000_000);
  table.now = 5_000_000;
  table.happens({type: 'timer.fired', timer: 'probe p'});
  const result = {version: '1', logged_in: true, failure: null};
  const effects = table.happens({type: 'agent.probed', project: 'p', result});
  assert.deepEqual(reserved(effects), ['1']);
});

test('context window exceeded: a retry in a fresh thread that knows why', () => {
  const table = afterOne(failing('context_window_exceeded', 'too long'));
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.thread, null);
  assert.match(claim.lastError ?? '', /too long/);
});

test('the first retry after a failure resumes the thread, the second gets a fresh one', () => {
  const table = afterOne(failing('turn_failed'));
  table.reads(anIssue());
  const first = table.claim();
  assert.ok(first?.is === 'retrying' && first.thread !== null);
  table.now = first.dueAt;
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  table.starts(anIssue());
  table.ends(aResult(failing('turn_failed')));
  table.reads(anIssue());
  const second = table.claim();
  assert.ok(second?.is === 'retrying');
  assert.equal(second.thread, null);
});

test('the agent needs input: held with the question, or failed by codex.on_input', () => {
  const asked = {
    outcome: 'input_required',
    failure: {code: 'turn_input_required', message: 'Which?'},
    question: 'Which?',
  } as const;
  const held = afterOne(asked);
  held.reads(anIssue());
  const claim = held.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.question, 'Which?');
  const failed = afterOne(asked, {agent: {onInput: 'fail'}});
  failed.reads(anIssue());
  assert.equal(failed.claim()?.is, 'retrying');
});

test('an issue that is over or gone overrules every outcome', () => {
  for (const result of [{}, failing('turn_failed'), failing('template_parse_error')]) {
    const over = afterOne(result);
    over.reads(anIssue({state: 'Done'}));
    assert.ok(over.effects.some((effect) => effect.do === 'clean-workspace'));
    const gone = afterOne(result);
    gone.reads(null, '1');
    assert.equal(gone.claim(), undefined);
  }
});

test('a read after the run that fails counts as still active', () => {
  const table = afterOne({});
  const [key, runId] = [table.key(), table.runId()];
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  table.happens({type: 'issue.read', key, runId, answer});
  assert.equal(table.claim()?.is, 'retrying');
});

test('a runner that died: its last hook is run for it, then a failure retry on the same thread', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const [key, runId] = [table.key(), table.runId()];
  const thread = aResult().thread;
  assert.ok(thread !== null);
  table.happens({
    type: 'runner.reported',
    key,
    runId,
    report: {type: 'thread', thread, resumed: false},
  });
  const effects = table.happens({type: 'runner.exited', key, runId, how: 'signal SIGKILL'});
  assert.ok(effects.some((effect) => effect.do === 'finish-run'));
  table.happens({type: 'run.finished', key, runId});
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.equal(claim.attempt, 1);
  assert.equal(claim.thread?.id, 'thread-1');
  assert.match(claim.lastError ?? '', /runner_crashed: .*SIGKILL/);
});

test('idle clean runs are counted, and the third holds', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  for (let runs = 1; runs <= 3; runs++) {
    table.starts(anIssue());
    table.ends(IDLE_RESULT);
    table.reads(anIssue());
    const claim = table.claim();
    if (claim?.is !== 'retrying') break;
    table.now = claim.dueAt;
    table.happens({type: 'timer.fired', timer: 'retry p/1'});
  }
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'limit_idle_runs');
});

test('a run that changed something sets idle runs back to 0', () => {
  const table = afterOne(IDLE_RESULT);
  assert.equal(table.counters.get('p/1')?.idleRuns, 1);
  table.reads(anIssue());
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  table.starts(anIssue());
  table.ends(aResult());
  assert.equal(table.counters.get('p/1')?.idleRuns, 0);
});

test('after a run that changed nothing the continuation waits as after a failure, without a slot', () => {
  const table = afterOne(IDLE_RESULT);
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.dueAt - table.now], ['continuation', 10_000]);
  const records = table.all.flatMap((effect) => (effect.do === 'record-run' ? effect.record : []));
  assert.deepEqual(
    records.map(({outcome}) => outcome),
    ['no_change'],
  );
  assert.equal(claim.waitsFor, 'the last run changed nothing');
  assert.equal(takesSlot(claim, table.now), false);
});

test('a token limit stops a running agent and holds the issue', () => {
  const table = new Table();
  table.project({agent: {maxTokens: 100}}, [anIssue()]);
  table.starts(anIssue());
  const [key, runId] = [table.key(), table.runId()];
  const usage = {...aResult().usage, input_tokens: 100, total_tokens: 100};
  const progress = {
    ...{
      event: null,
      message: null,
      messages: 1,
      signs_of_life: 1,
      rate_limits: null,
      is_measured: true,
      models: [],
    },
    ...{usage, thread_usage: usage},
  };
  const effects = table.happens({
    type: 'runner.reported',
    key,
    runId,
    report: {type: 'agent', progress},
  });
  assert.ok(
    effects.some((effect) => effect.do === 'stop-run' && effect.reason === 'limit_reached'),
  );
  table.ends(aResult({outcome: 'limit_reached', usage}));
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'limit_tokens');
  assert.equal(table.counters.get('p/1')?.tokens, 100);
});

test('runs are limited over all', () => {
  const table = afterOne({}, {agent: {maxRuns: 1}});
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'limit_runs');
});

test('an issue that comes back after its last run is held before it is started again', () => {
  const table = afterOne({}, {agent: {maxRuns: 1}});
  table.reads(anIssue({state: 'Review'}));
  assert.equal(table.claim(), undefined);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: true, value: [anIssue()]} as const;
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  assert.deepEqual(started(table.reads(anIssue())), []);
  const claim = table.claim();
  assert.ok(claim?.is === 'held');
  assert.equal(claim.because.code, 'limit_runs');
});

test('a failure before a thread began does not count against it: its own first one resumes it', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  table.ends(aResult({...failing('hook_failed'), thread: null}));
  table.reads(anIssue());
  table.later(10_000);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  table.starts(anIssue());
  const {thread} = aResult();
  assert.ok(thread !== null);
  const [key, runId] = [table.key(), table.runId()];
  const report = {type: 'thread', thread, resumed: false} as const;
  table.happens({type: 'runner.reported', key, runId, report});
  table.ends(aResult(failing('port_exit')));
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.attempt, claim.thread?.id], [2, 'thread-1']);
});

test('a runner that says neither that it went well nor what went wrong has crashed', () => {
  const table = afterOne({outcome: 'interrupted', failure: null});
  table.reads(anIssue());
  const claim = table.claim();
  assert.ok(claim?.is === 'retrying');
  assert.deepEqual([claim.kind, claim.attempt], ['failure', 1]);
  assert.match(claim.lastError ?? '', /^runner_crashed: /);
});
