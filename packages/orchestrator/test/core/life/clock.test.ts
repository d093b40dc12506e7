import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cutOff} from '../../../src/core/life/resume.ts';
import {anIssue, aResult, Table, timers} from '../builders.ts';

const HOUR = 60 * 60_000;

function jumps(table: Table, byMs: number) {
  table.later(byMs);
  return table.happens({type: 'clock.jumped', byMs});
}

test('after a suspend nobody was silent: neither stalled nor without a heartbeat', () => {
  const table = new Table();
  table.project({agent: {stallTimeoutMs: 300_000}}, [anIssue()]);
  table.starts(anIssue());
  table.later(100_000);
  jumps(table, HOUR);
  for (const timer of ['stall p/1', 'heartbeat p/1'] as const) {
    const effects = table.happens({type: 'timer.fired', timer});
    assert.ok(!effects.some(({do: order}) => order === 'stop-run' || order === 'kill-run'));
    const left = timer === 'stall p/1' ? 200_000 : 30_000;
    assert.equal(timers(effects)[timer], table.now + left);
  }
  table.later(200_000);
  assert.ok(isStalled(table));
});

test('what came due while the machine slept is due', () => {
  const table = failedOnce();
  jumps(table, HOUR);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.equal(table.claim()?.is, 'running');
});

// Timers keep their delay by themselves; each of these is about what is found when one fires.

test('a clock that is set back makes nothing wait longer than it was meant to', () => {
  const table = failedOnce();
  table.later(4_000);
  jumps(table, -HOUR);
  const {poll} = table.state.projects.get('p') ?? {};
  assert.ok(poll?.is === 'waiting' && poll.nextAt <= table.now + 30_000);
  table.later(5_999);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.equal(table.claim()?.is, 'retrying');
  table.later(1);
  table.happens({type: 'timer.fired', timer: 'retry p/1'});
  assert.equal(table.claim()?.is, 'running');
});

test('a clock that is set back stretches neither the wait for an agent nor for a tracker', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  table.ends(aResult({outcome: 'failed', failure: {code: 'unauthorized', message: 'no'}}));
  const answer = {ok: false, message: 'too many', notBefore: table.now + 20_000} as const;
  table.happens({type: 'timer.fired', timer: 'poll p'});
  table.happens({type: 'claimed.read', project: 'p', scope: 0, ids: ['1'], answer});
  table.later(4_000);
  jumps(table, -HOUR);
  assert.equal(table.state.projects.get('p')?.notBefore, table.now + 16_000);
  table.later(6_000);
  const probing = table.happens({type: 'timer.fired', timer: 'probe p'});
  assert.ok(probing.some((effect) => effect.do === 'probe-agent'));
});

test('a clock that is set back forgets no silence that there was before', () => {
  const table = new Table();
  table.project({agent: {stallTimeoutMs: 300_000}}, [anIssue()]);
  table.starts(anIssue());
  table.later(29_000);
  jumps(table, -HOUR);
  assert.ok(!isKilled(table), 'it was silent for 29 s');
  table.later(1_000);
  assert.ok(isKilled(table), 'it was silent for 30 s');
  table.later(269_999);
  assert.ok(!isStalled(table));
  table.later(1);
  assert.ok(isStalled(table));
});

test('no run ends before it began, whatever the clock was set to', () => {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  const run = {
    ...{key: 'p/1', runId: table.runId(), host: 'local', role: 'worker', attempt: null},
    startedAt: table.now,
  };
  jumps(table, -HOUR);
  const [cut] = cutOff([run], table.state.claims, table.now);
  assert.equal(cut?.endedAt, run.startedAt);
  const effects = table.ends(aResult());
  const records = effects.flatMap((effect) => (effect.do === 'record-run' ? effect.record : []));
  assert.deepEqual(
    records.map(({startedAt, endedAt}) => endedAt - startedAt),
    [0],
  );
  assert.equal(table.state.totals.secondsRunning, 0);
});

function isKilled(table: Table): boolean {
  const effects = table.happens({type: 'timer.fired', timer: 'heartbeat p/1'});
  return effects.some((effect) => effect.do === 'kill-run');
}

function isStalled(table: Table): boolean {
  const effects = table.happens({type: 'timer.fired', timer: 'stall p/1'});
  return effects.some((effect) => effect.do === 'stop-run' && effect.reason === 'stalled');
}

/** 10 s from its retry. */
function failedOnce(): Table {
  const table = new Table();
  table.project({}, [anIssue()]);
  table.starts(anIssue());
  table.ends(aResult({outcome: 'failed', failure: {code: 'turn_failed', message: 'no'}}));
  table.reads(anIssue());
  return table;
}

test('a stall clock that rests goes on resting, whichever way the clock jumps', () => {
  for (const byMs of [HOUR, -HOUR]) {
    const table = new Table();
    table.project({}, [anIssue()]);
    table.starts(anIssue());
    table.happens({type: 'tool.called', key: table.key(), runId: table.runId()});
    assert.ok(!('stall p/1' in timers(jumps(table, byMs))));
    assert.deepEqual(table.happens({type: 'timer.fired', timer: 'stall p/1'}), []);
    assert.equal(table.claim()?.is, 'running');
  }
});

test('a clock that is set back does not stretch the time that the tracker asked for', () => {
  const table = new Table();
  table.project({}, []);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  const answer = {ok: false, message: 'later', notBefore: table.now + 60_000} as const;
  table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  jumps(table, -HOUR);
  const poll = table.state.projects.get('p')?.poll;
  assert.deepEqual(poll, {is: 'waiting', nextAt: table.now + 60_000});
  table.later(60_000);
  const due = table.happens({type: 'timer.fired', timer: 'poll p'});
  assert.ok(due.some((effect) => effect.do === 'read-candidates'));
});

test('a tick that is under way when the clock is set back ends as it would have', () => {
  const table = new Table();
  table.later(HOUR);
  table.project({intervalMs: 30_000}, []);
  table.happens({type: 'timer.fired', timer: 'poll p'});
  assert.ok(!('poll p' in timers(jumps(table, -HOUR))));
  const answer = {ok: true, value: []} as const;
  const ended = table.happens({type: 'candidates.read', project: 'p', scope: 0, answer});
  assert.equal(timers(ended)['poll p'], table.now + 30_000);
});
