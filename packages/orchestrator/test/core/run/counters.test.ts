import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_USAGE} from '@symphony-supervisor/protocol';
import type {Claim} from '../../../src/core/claim.ts';
import {cutOff, resumed, withRuns} from '../../../src/core/life/resume.ts';
import {emptyState} from '../../../src/core/state.ts';
import {anIssue, aResult, aWorkflow, IDLE_RESULT, type Knobs, Table} from '../builders.ts';

// The table of counters, row by row: what adds one, and what sets back to 0.

const FAILED = aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}});

function running(knobs: Knobs = {}): Table {
  const table = new Table();
  table.project(knobs, [anIssue()]);
  table.starts(anIssue());
  return table;
}

/** One run to its end, and on to the next one. */
function runs(table: Table, result = aResult()): void {
  table.ends(result);
  table.reads(anIssue());
  const claim = table.claim();
  if (claim?.is !== 'retrying') return;
  table.now = Math.max(table.now, claim.dueAt);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  table.starts(anIssue());
}

function failures(table: Table): number | undefined {
  return table.claim()?.failures;
}

function counters(table: Table) {
  return table.counters.get('p/1');
}

test('consecutive failures: +1 when a run ended in failure; 0 when a run ended normally', () => {
  const table = running();
  runs(table, FAILED);
  runs(table, FAILED);
  assert.equal(failures(table), 2);
  runs(table, aResult());
  assert.equal(failures(table), 0);
});

test('consecutive failures: 0 when released', () => {
  const table = running();
  runs(table, FAILED);
  table.ends(FAILED);
  table.reads(anIssue({state: 'Review'}));
  assert.equal(table.claim(), undefined);
  table.happens({
    type: 'candidates.read',
    project: 'p',
    scope: 0,
    answer: {ok: true, value: [anIssue()]},
  });
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({
    type: 'candidates.read',
    project: 'p',
    scope: 0,
    answer: {ok: true, value: [anIssue()]},
  });
  assert.equal(failures(table), 0);
});

test('consecutive failures: 0 when let go from a hold', () => {
  const table = running({agent: {maxConsecutiveFailures: 1}});
  table.ends(FAILED);
  table.reads(anIssue());
  assert.equal(table.claim()?.is, 'held');
  const command = {command: 'retry', key: 'p/1', message: null} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  assert.equal(failures(table), 0);
});

test('idle runs: +1 for an idle clean run; 0 after a run that changed something', () => {
  const table = running({agent: {maxIdleRuns: 0}});
  runs(table, IDLE_RESULT);
  runs(table, IDLE_RESULT);
  assert.equal(counters(table)?.idleRuns, 2);
  runs(table, aResult());
  assert.equal(counters(table)?.idleRuns, 0);
});

test('idle runs: a failure neither adds nor sets back', () => {
  const table = running({agent: {maxIdleRuns: 0}});
  runs(table, IDLE_RESULT);
  runs(table, {...FAILED, evidence: IDLE_RESULT.evidence});
  assert.equal(counters(table)?.idleRuns, 1);
});

test('idle runs: 0 when let go from a hold', () => {
  const table = running({agent: {maxIdleRuns: 1}});
  table.ends(IDLE_RESULT);
  table.reads(anIssue());
  assert.equal(table.claim()?.is, 'held');
  const command = {command: 'retry', key: 'p/1', message: null} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  assert.equal(counters(table)?.idleRuns, 0);
});

test('runs: +1 for every runner started, and a release of the claim does not forget them', () => {
  const table = running();
  runs(table);
  runs(table, FAILED);
  assert.equal(counters(table)?.runs, 3);
  table.ends(aResult());
  table.reads(anIssue({state: 'Review'}));
  assert.equal(table.claim(), undefined);
  assert.equal(counters(table)?.runs, 3);
});

test('runs: a resume after a graceful shutdown is the same run, one after a kill is another', () => {
  const table = running();
  const killed = nextLife(table, table.state.claims);
  assert.equal(killed.counters.get('p/1')?.runs, 2);

  table.happens({type: 'shutdown.requested', withinMs: 1000});
  table.ends(aResult({outcome: 'interrupted'}));
  const shutDown = nextLife(table, table.state.claims);
  assert.equal(shutDown.counters.get('p/1')?.runs, 1);
});

test('runs: one that a shutdown caught before its runner started still counts when it starts', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.happens({type: 'shutdown.requested', withinMs: 1000});
  const after = nextLife(table, table.state.claims);
  assert.equal(after.counters.get('p/1')?.runs, 1);
});

test('runs and tokens: 0 when a person lets go from a hold', () => {
  const table = running({agent: {maxRuns: 1}});
  const usage = {...NO_USAGE, input_tokens: 5, total_tokens: 5};
  table.ends(aResult({usage}));
  table.reads(anIssue());
  assert.equal(table.claim()?.is, 'held');
  assert.deepEqual(counters(table), {runs: 1, tokens: 5, idleRuns: 0});
  const command = {command: 'retry', key: 'p/1', message: null} as const;
  table.happens({type: 'operator.commanded', by: 'me', command});
  assert.deepEqual(counters(table), {runs: 0, tokens: 0, idleRuns: 0});
});

test('a limit of 0 is no limit: runs, idle runs, tokens', () => {
  const table = running({agent: {maxRuns: 0, maxIdleRuns: 0, maxTokens: 0}});
  const usage = {...NO_USAGE, input_tokens: 9_000_000, total_tokens: 9_000_000};
  for (let nth = 1; nth <= 40; nth++) runs(table, {...IDLE_RESULT, usage});
  assert.equal(table.claim()?.is, 'running');
  assert.equal(counters(table)?.idleRuns, 40);
});

test('tokens: every one, once, however often it is told', () => {
  const table = running();
  const usage = {...NO_USAGE, input_tokens: 70, output_tokens: 30, total_tokens: 100};
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
  const report = {type: 'agent', progress} as const;
  for (const _ of [1, 2]) {
    table.happens({type: 'runner.reported', key: 'p/1', runId: table.runId(), report});
  }
  const more = {...NO_USAGE, input_tokens: 90, output_tokens: 30, total_tokens: 120};
  table.ends(aResult({usage: more}));
  assert.equal(counters(table)?.tokens, 120);
  assert.deepEqual(table.state.totals.usage, more);
});

test('tokens: those of a run that was cut off are in history and in the totals, once', () => {
  const table = running();
  const usage = {...NO_USAGE, input_tokens: 70, output_tokens: 30, total_tokens: 100};
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
  const report = {type: 'agent', progress} as const;
  table.happens({type: 'runner.reported', key: 'p/1', runId: table.runId(), report});
  const open = [
    {
      key: 'p/1',
      runId: table.runId(),
      host: 'local',
      role: 'worker',
      attempt: null,
      startedAt: table.now,
    },
    {key: 'p/2', runId: 'forgotten', host: 'far', role: 'judge', attempt: 1, startedAt: table.now},
  ];
  const ended = cutOff(open, table.state.claims, table.now + 2000);
  assert.deepEqual(
    ended.map(({runId, host, outcome, usage: used}) => [runId, host, outcome, used.total_tokens]),
    [
      [table.runId(), 'local', 'interrupted', 100],
      ['forgotten', 'far', 'interrupted', 0],
    ],
  );
  assert.deepEqual(withRuns(table.state.totals, ended), {usage, secondsRunning: 4});
});

test('not counted as failures: a usage limit, waiting for a slot, a restart', () => {
  const limited = running();
  limited.ends(aResult({outcome: 'failed', failure: {code: 'usage_limit', message: 'later'}}));
  limited.reads(anIssue());
  assert.equal(failures(limited), 0);

  const restarted = running();
  assert.equal(nextLife(restarted, restarted.state.claims).claim()?.failures, 0);
});

test('not counted as failures: a tracker that cannot be read', () => {
  const table = running();
  table.ends(aResult());
  const answer = {ok: false, message: 'down', notBefore: null} as const;
  table.happens({type: 'issue.read', key: 'p/1', runId: table.runId(), answer});
  assert.equal(failures(table), 0);
  assert.equal(table.claim()?.is, 'retrying');
});

/** What the store gives back, in a new life, until the issue runs again. */
function nextLife(former: Table, claims: ReadonlyMap<string, Claim>): Table {
  const table = new Table();
  for (const [key, counted] of former.counters) table.counters.set(key, counted);
  table.state = resumed(emptyState('next'), claims, former.now);
  table.happens({type: 'project.loaded', workflow: aWorkflow()});
  table.happens({type: 'supervisor.started'});
  const result = {version: '1', logged_in: true, failure: null};
  table.happens({type: 'agent.probed', project: 'p', result});
  table.starts(anIssue());
  return table;
}
