/**
 * What runs of these names must come to, session by session, written down by hand. It holds the rule
 * of `expected-verdict.ts`, by which all other recordings are judged, to account.
 */
export const KNOWN_VERDICTS: Readonly<Record<string, readonly string[]>> = {
  'a-two-turns': ['succeeded in turn 2'],

  'b1-exec-approval-accept': ['input_required in turn 1: turn_input_required'],
  'b2-exec-approval-decline': ['input_required in turn 1: turn_input_required'],
  'b3-exec-approval-cancel': ['input_required in turn 1: turn_input_required'],
  'b4-exec-approval-session': ['input_required in turn 1: turn_input_required'],
  'b5-escalation-approval': ['input_required in turn 1: turn_input_required'],
  'b6-filechange-approval': ['input_required in turn 1: turn_input_required'],
  'b7-filechange-decline': ['input_required in turn 1: turn_input_required'],

  'c1-dynamic-tool': ['succeeded in turn 1'],
  'c2-dynamic-tool-success-false': ['succeeded in turn 1'],
  'c4-unknown-tool': ['succeeded in turn 1'],
  'c5-dynamic-tool-no-experimental': ['failed in turn 0: agent_incompatible'],
  'c6-dynamic-tool-namespace': ['succeeded in turn 1'],

  'd1-http-500': ['failed in turn 1: turn_failed'],
  'd2-http-400': ['failed in turn 1: turn_failed'],
  'd3-http-429': ['failed in turn 1: turn_failed'],
  'd4-http-401': ['failed in turn 1: unauthorized'],
  'd5-usage-limit-429': ['failed in turn 1: usage_limit'],
  'd6-response-failed-ctx': ['failed in turn 1: context_window_exceeded'],
  'd7-response-failed-rate': ['failed in turn 1: turn_failed'],
  'd9-insufficient-quota': ['failed in turn 1: usage_limit'],
  'd10-http-503': ['failed in turn 1: turn_failed'],
  'd12-connection-refused': ['timed_out in turn 1: turn_timeout'],
  'd13-connection-refused-bounded': ['failed in turn 1: turn_failed'],

  'e1-interrupt-message': ['stopped_by_operator in turn 1'],
  'e2-interrupt-shell': ['stopped_by_operator in turn 1'],
  'e3-interrupt-while-approval-pending': ['input_required in turn 1: turn_input_required'],
  'e4-interrupt-hang-and-steer': ['stopped_by_operator in turn 1'],
  'e6-interrupt-shell-then-clean': ['stopped_by_operator in turn 1'],
  'e7-interrupt-shell-no-unified-exec': ['stopped_by_operator in turn 1'],
  'e8-interrupt-shell-code-mode': ['stopped_by_operator in turn 1'],

  'f1-unauthenticated-openai': ['failed in turn 1: unauthorized'],
  'f2-missing-env-key': ['failed in turn 1: unauthorized'],
  'f3-bad-toml': ['failed in turn 0: agent_incompatible'],
  'f4-unknown-provider': ['failed in turn 0: agent_incompatible'],
  'f5-protocol-errors': ['failed in turn 0: agent_incompatible'],
  'f6-unknown-key-type-error': ['failed in turn 0: agent_incompatible'],
  'f7-strict-config': ['failed in turn 0: port_exit'],
  // It was closed without having been given a turn.
  'f8-unknown-key': ['failed in turn 1: port_exit'],
  'f9-missing-cwd': ['succeeded in turn 1'],

  'h1-user-input-default-mode': ['succeeded in turn 1'],
  'h2-user-input-plan-mode': ['input_required in turn 1: turn_input_required'],
  'h3-user-input-rpc-error': ['input_required in turn 1: turn_input_required'],
  'h4-user-input-default-mode-feature': ['input_required in turn 1: turn_input_required'],

  'i1-mcp-elicitation': ['input_required in turn 1: turn_input_required'],

  // It was closed in the midst of its second turn.
  'j1-code-mode-default-model': ['failed in turn 2: port_exit'],

  'k3-resume-without-overrides': ['succeeded in turn 1', 'failed in turn 1: port_exit'],
};
