import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {FailureCode} from '@symphony-supervisor/protocol';
import {mergeLimits} from '../../src/agent/claude/turn/rate-limits.ts';
import {type TurnNotes, verdictOf} from '../../src/agent/claude/turn/verdict.ts';

const QUIET: TurnNotes = {error: null, retries: 0, limits: null};

/** As Claude Code tells a turn that failed: a success that is an error. */
function failed(fields: object = {}) {
  return {
    subtype: 'success',
    is_error: true,
    terminal_reason: 'api_error',
    result: 'no',
    ...fields,
  };
}

const ROWS: readonly (readonly [what: string, object, Partial<TurnNotes>, FailureCode])[] = [
  ['401', failed({api_error_status: 401}), {error: 'authentication_failed'}, 'unauthorized'],
  ['no login', failed(), {error: 'authentication_failed'}, 'unauthorized'],
  ['a status alone', failed({api_error_status: 403}), {}, 'unauthorized'],
  ['an account on hold', failed(), {error: 'account_on_hold'}, 'unauthorized'],
  ['404', failed({api_error_status: 404}), {error: 'model_not_found'}, 'agent_incompatible'],
  ['no credit', failed({api_error_status: 400}), {error: 'billing_error'}, 'usage_limit'],
  ['400', failed({api_error_status: 400}), {error: 'unknown'}, 'turn_failed'],
  [
    'too long',
    failed({api_error_status: 400, terminal_reason: 'prompt_too_long'}),
    {error: 'invalid_request'},
    'context_window_exceeded',
  ],
  ['429 at once', failed({api_error_status: 429}), {error: 'rate_limit'}, 'usage_limit'],
  [
    '429 after retries',
    failed({api_error_status: 429}),
    {error: 'rate_limit', retries: 4},
    'turn_failed',
  ],
  ['500', failed({api_error_status: 500}), {error: 'server_error', retries: 4}, 'turn_failed'],
  ['a broken line', failed(), {error: 'server_error'}, 'turn_failed'],
  ['an unknown error', failed(), {error: 'something_new'}, 'turn_failed'],
  ['rounds', failed({subtype: 'error_max_turns', is_error: false}), {}, 'turn_failed'],
  ['an abort', failed({terminal_reason: 'aborted_streaming'}), {}, 'turn_cancelled'],
  [
    'a refusal to start',
    failed({startup_failure_reason: 'bypass_root', errors: ['root']}),
    {},
    'agent_incompatible',
  ],
];

for (const [what, result, notes, code] of ROWS) {
  test(`a turn that ends with ${what} fails by ${code}`, () => {
    const failure = verdictOf({...result}, {...QUIET, ...notes});
    assert.equal(failure?.failure.code, code);
    assert.notEqual(failure?.message, '');
  });
}

test('a turn that calls itself a success and is no error is completed', () => {
  assert.equal(verdictOf({subtype: 'success', is_error: false}, QUIET), null);
});

test('a limit that refuses us is used up, and says when it is refilled', () => {
  const info = {rateLimitType: 'five_hour', status: 'rejected', utilization: 0.9, resetsAt: 1e9};
  const week = {rateLimitType: 'seven_day', status: 'allowed', utilization: 0.25};
  const first = mergeLimits(null, {rate_limit_info: week});
  const limits = mergeLimits(first, {rate_limit_info: info});
  assert.deepEqual(limits?.windows, [
    {name: 'seven_day', used_percent: 25, window_minutes: 10_080, resets_at: null},
    {
      ...{name: 'five_hour', used_percent: 100, window_minutes: 300},
      resets_at: '2001-09-09T01:46:40.000Z',
    },
  ]);
  const notes = {error: 'rate_limit', retries: 4, limits};
  const failure = verdictOf(failed({api_error_status: 429}), notes);
  assert.equal(failure?.failure.code, 'usage_limit');
  assert.equal(failure?.failure.resets_at, '2001-09-09T01:46:40.000Z');
  assert.equal(mergeLimits(limits, {rate_limit_info: 'odd'}), limits);
});
