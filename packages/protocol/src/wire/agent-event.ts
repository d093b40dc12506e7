import * as z from 'zod/mini';
import {measuredUsage, Usage} from './usage.ts';

/** The last thing of note that an agent did, in the words that the API shows. */
export const AgentEventKind = z.enum([
  'session_started',
  'startup_failed',
  'turn_completed',
  'turn_failed',
  'turn_cancelled',
  'turn_ended_with_error',
  'turn_input_required',
  'approval_auto_approved',
  'unsupported_tool_call',
  'notification',
  'other_message',
  'malformed',
]);
export type AgentEventKind = z.infer<typeof AgentEventKind>;

const RateLimitWindow = z.object({
  /** The agent's own name for it. */
  name: z.string(),
  used_percent: z.number(),
  window_minutes: z.nullable(z.number()),
  /** ISO 8601. */
  resets_at: z.nullable(z.string()),
});
export type RateLimitWindow = z.infer<typeof RateLimitWindow>;

/** The limits of the agent's account as last heard. */
export const RateLimits = z.object({windows: z.array(RateLimitWindow)});
export type RateLimits = z.infer<typeof RateLimits>;

/**
 * What an agent did since the last report: many messages, one statement. Counters are absolute, so
 * that a statement which comes twice, or replaces an unsent one, changes nothing.
 */
export const AgentProgress = z.object({
  /** The last event worth a name; null while there were only deltas. */
  event: z.nullable(AgentEventKind),
  /** The last readable text, cut. */
  message: z.nullable(z.string()),
  /** Messages of the agent since the run began. */
  messages: z.int(),
  /** Of those, the ones that prove life: "will retry" notices do not. */
  signs_of_life: z.int(),
  ...measuredUsage,
  /** The conversation's tokens as the agent counts them: the baseline for a later resume. */
  thread_usage: Usage,
  rate_limits: z.nullable(RateLimits),
});
export type AgentProgress = z.infer<typeof AgentProgress>;
