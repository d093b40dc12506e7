import assert from 'node:assert/strict';
import {test} from 'node:test';
import {measureOfAll} from '@symphony-supervisor/protocol';
import {alertsOf} from '../../src/view/attention.ts';
import {stallClock} from '../../src/view/stall-clock.ts';
import {
  agentWords,
  count,
  countdown,
  measured,
  roughly,
  shortSpan,
  span,
  tokens,
  totalTokens,
} from '../../src/view/words.ts';
import {AT, aProject, aRunning, aSnapshot, at} from './a-snapshot.ts';

test('spans, countdowns and counts read well at every size', () => {
  const spans = [-5, 999, 59_999, 60_000, 3_599_000, 3_600_000, 86_400_000, Number.NaN];
  assert.deepEqual(spans.map(span), [
    '0s',
    '0s',
    '59s',
    '1m 00s',
    '59m 59s',
    '1h 00m',
    '1d 0h',
    '–',
  ]);
  assert.deepEqual([1, 90_000, 90_000_000].map(roughly), ['0s', '1m', '1d']);
  assert.deepEqual([3.4, 1500, 61_000].map(shortSpan), ['3ms', '1.5s', '1m 01s']);
  assert.deepEqual(
    [0, 1, 1001].map((ms) => countdown(AT + ms, AT)),
    ['now', '1s', '2s'],
  );
  const counts = [0, 999, 999.6, 1000, 12_345, 999_960, 4_560_000, 7.5e9];
  assert.deepEqual(counts.map(count), [
    '0',
    '999',
    '1.00k',
    '1.00k',
    '12.3k',
    '1.00M',
    '4.56M',
    '7.50G',
  ]);
});

test('a quiet agent is calm, then uneasy, then alarming, and never beyond its limit', () => {
  const row = aRunning('A-1', {last_event_at: at(0), stalls_at: at(100_000)});
  const levels = [0, 49_000, 50_000, 80_000, 500_000].map((ms) => stallClock(row, AT + ms));
  assert.deepEqual(
    levels.map(({level}) => level),
    ['calm', 'calm', 'uneasy', 'alarming', 'alarming'],
  );
  assert.equal(levels[4]?.used, 1);
  assert.equal(stallClock({...row, stalls_at: null}, AT + 1e9).level, 'calm');
});

test('nothing is wrong: nobody is alarmed', () => {
  assert.deepEqual(alertsOf(aSnapshot()), []);
});

test('what needs a person comes first, and is said once', () => {
  const projects = [
    aProject({name: 'a', is_paused: true}),
    aProject({name: 'b', problem: 'line 3', last_error: 'line 3'}),
    aProject({
      name: 'c',
      agent: {status: 'blocked', version: null, why: 'not logged in', until: at(60_000)},
      last_error: 'the agent: not logged in',
    }),
  ];
  const window = {used_percent: 95, window_minutes: 300, resets_at: at(1000)};
  const limits = {windows: [{name: 'primary', ...window}]};
  const alerts = alertsOf(aSnapshot({projects, rate_limits: limits}));
  assert.deepEqual(
    alerts.map(({key, severity}) => `${severity} ${key}`),
    ['error workflow b', 'error agent c', 'warning paused a', 'warning limit 0'],
  );
  assert.equal(alerts[1]?.next?.words, 'tried again');
});

test('issues that cannot be read are a warning that names them', () => {
  const malformed = {
    count: 2,
    examples: ['/issues/A-1.md:1: no title', '/issues/B-1.md:3: no state'],
  };
  const tracker = {kind: 'file', not_before: null, budget: null, malformed};
  const [alert] = alertsOf(aSnapshot({projects: [aProject({tracker})]}));
  assert.deepEqual(
    [alert?.severity, alert?.title, alert?.detail],
    ['warning', '2 issues cannot be read', malformed.examples.join('; ')],
  );
});

test('processes that could not be ended are told run by run', () => {
  const {supervisor} = aSnapshot();
  const left = [
    {run_id: 'a-1', pid: 12, command: 'node'},
    {run_id: null, pid: 13, command: 'git'},
    {run_id: 'a-1', pid: 14, command: 'sh'},
  ];
  const alerts = alertsOf(aSnapshot({supervisor: {...supervisor, left_processes: left}}));
  assert.deepEqual(
    alerts.map(({severity, title}) => `${severity}: ${title}`),
    [
      'error: 2 processes of run a-1 could not be ended: pid 12 (node), pid 14 (sh)',
      'error: 1 process of an unknown run could not be ended: pid 13 (git)',
    ],
  );
});

test('a store that cannot be written is the first thing to be told', () => {
  const {supervisor} = aSnapshot();
  const broken = {...supervisor, store_is_writable: false, is_shutting_down: true};
  const [first, second] = alertsOf(aSnapshot({supervisor: broken}));
  assert.equal(first?.key, 'store');
  assert.equal(second?.key, 'shutdown');
});

test('tokens are a number only as far as they are known', () => {
  const {tokens: used} = aRunning('A-1');
  const shown = (['measured', 'partial', 'unmeasured'] as const).map((usage) =>
    tokens({tokens: used, usage}),
  );
  assert.deepEqual(shown, ['12.3k', '≥ 12.3k', 'unmeasured']);
  assert.equal(measured(0, 'unmeasured', String), 'unmeasured');
  assert.equal(tokens({tokens: used, usage: 'partial'}, String), '≥ 12345');
});

test('the sum of all tokens is unknown while nothing is counted and an agent does not measure', () => {
  const unmeasured = [aRunning('A-1', {usage: 'unmeasured'})];
  const none = {input_tokens: 0, output_tokens: 0, total_tokens: 0, seconds_running: 0};
  assert.equal(totalTokens(aSnapshot({running: unmeasured, codex_totals: none})), 'unmeasured');
  assert.equal(totalTokens(aSnapshot({running: unmeasured})), '1.00k');
  assert.equal(totalTokens(aSnapshot({codex_totals: none})), '0');
});

test('an agent is named by its kind and its model, as far as they are known', () => {
  assert.equal(agentWords({agent: 'codex', model: 'm-1'}), 'codex m-1');
  assert.equal(agentWords({agent: 'codex', model: null}), 'codex');
  assert.equal(agentWords({agent: null, model: null}), '');
});

test('several runs together are measured if each is, and unmeasured if none is', () => {
  assert.equal(measureOfAll(0, 0, 0), 'measured');
  assert.equal(measureOfAll(3, 0, 0), 'measured');
  assert.equal(measureOfAll(3, 1, 0), 'partial');
  assert.equal(measureOfAll(3, 0, 1), 'partial');
  assert.equal(measureOfAll(3, 3, 0), 'unmeasured');
});
