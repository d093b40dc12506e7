import * as z from 'zod/mini';

/**
 * What a failure does to its claim. One word per code; see `policyOf`.
 *
 * - `retry`: the run is repeated after a backoff.
 * - `hold`: no retry can fix it; an operator must act.
 * - `host`: this machine or account, not this issue; dispatch of the project waits.
 * - `fresh-thread`: the run is repeated in a new conversation.
 * - `wait`: the workspace is busy; not counted as an attempt.
 * - `deliver`: the delivery alone is repeated after a backoff, without an agent.
 */
export type FailurePolicy = 'retry' | 'hold' | 'host' | 'fresh-thread' | 'wait' | 'deliver';

/** The closed list of failures of a run, each with its policy and meaning. */
export const FAILURES = {
  response_timeout: ['retry', 'the agent did not answer a request in time'],
  response_error: ['retry', 'the agent answered a request with an error'],
  turn_timeout: ['retry', 'the agent was silent for too long within a turn'],
  port_exit: ['retry', 'the agent process ended before its turn did'],
  turn_failed: ['retry', 'the agent reported that its turn failed'],
  turn_cancelled: ['retry', 'the turn was interrupted, but not by the supervisor'],
  stalled: ['retry', 'the run gave no sign of life for too long'],
  hook_failed: ['retry', 'a hook ended with an error'],
  hook_timeout: ['retry', 'a hook exceeded its time limit'],
  delivery_failed: ['deliver', 'the deliver hook failed, so the work is not delivered'],
  runner_crashed: ['retry', 'the runner process died'],
  issue_refresh_failed: ['retry', 'the issue could not be read again between turns'],
  workspace_error: ['retry', 'the workspace could not be prepared'],
  invalid_workspace_cwd: ['hold', 'the workspace path is not safely inside the workspace root'],
  workspace_conflict: ['hold', 'the workspace folder belongs to another issue'],
  untrusted_repository: [
    'hold',
    'the repository brings configuration by which the agent would run code',
  ],
  template_parse_error: ['hold', 'the prompt template is malformed'],
  template_render_error: ['hold', 'the prompt template uses something that does not exist'],
  turn_input_required: ['hold', 'the agent needs an answer or an approval'],
  claim_unreadable: ['hold', 'the stored claim cannot be read by this version'],
  limit_failures: ['hold', 'too many failures in a row'],
  limit_runs: ['hold', 'too many runs'],
  limit_tokens: ['hold', 'the token limit is used up'],
  limit_idle_runs: ['hold', 'too many runs in a row changed nothing'],
  agent_not_found: ['host', 'the agent command does not exist on this machine'],
  agent_incompatible: ['host', 'this version or configuration of the agent refuses requests'],
  unauthorized: ['host', 'the agent is not logged in, or its key is refused'],
  usage_limit: ['host', 'the account has used up its limit'],
  context_window_exceeded: ['fresh-thread', 'the conversation no longer fits the model'],
  workspace_busy: ['wait', 'another process works in this workspace'],
} as const satisfies Record<string, readonly [FailurePolicy, string]>;

export type FailureCode = keyof typeof FAILURES;
export const FailureCode = z.enum(Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]);

/** A failure as data, the only form in which one crosses a process boundary. */
export const Failure = z.object({
  code: FailureCode,
  /** For people: what, where, and what to do. */
  message: z.string(),
  /** When a used-up limit is expected to reset, if the agent reported that. ISO 8601. */
  resets_at: z.optional(z.string()),
});
export type Failure = z.infer<typeof Failure>;

const NAME = 'RunFailure';

/** A failure on its way up inside one process. */
export class RunFailure extends Error {
  readonly failure: Failure;

  /** The code of an agent may come from a file of its own, with a copy of this class in it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: classes that extend this one inherit the method
    if (this !== RunFailure) return Function.prototype[Symbol.hasInstance].call(this, value);
    return value instanceof Error && value.name === NAME && 'failure' in value;
  }

  constructor(
    code: FailureCode,
    message: string,
    options: {cause?: unknown; resetsAt?: string} = {},
  ) {
    super(message, {cause: options.cause});
    this.name = NAME;
    this.failure = {
      code,
      message,
      ...(options.resetsAt === undefined ? {} : {resets_at: options.resetsAt}),
    };
  }
}

export function policyOf(code: FailureCode): FailurePolicy {
  return FAILURES[code][0];
}

export function meaningOf(code: FailureCode): string {
  return FAILURES[code][1];
}
