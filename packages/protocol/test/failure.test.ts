import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FAILURES, type FailureCode, meaningOf, policyOf} from '../src/index.ts';

test('every failure has the one policy that the contract gives it', () => {
  const contract: Record<string, string> = {
    retry:
      'response_timeout response_error turn_timeout port_exit turn_failed turn_cancelled stalled ' +
      'hook_failed hook_timeout runner_crashed issue_refresh_failed workspace_error',
    hold:
      'invalid_workspace_cwd workspace_conflict untrusted_repository template_parse_error template_render_error ' +
      'turn_input_required claim_unreadable limit_failures limit_runs limit_tokens limit_idle_runs',
    host: 'agent_not_found agent_incompatible unauthorized usage_limit',
    'fresh-thread': 'context_window_exceeded',
    wait: 'workspace_busy',
    deliver: 'delivery_failed',
  };
  const expected = Object.entries(contract).flatMap(([policy, codes]) =>
    codes.split(' ').map((code) => [code, policy] as const),
  );
  assert.deepEqual(Object.keys(FAILURES).toSorted(), expected.map(([code]) => code).toSorted());
  for (const [code, policy] of expected) {
    assert.equal(policyOf(code as FailureCode), policy, code);
    assert.notEqual(meaningOf(code as FailureCode), '');
  }
});
