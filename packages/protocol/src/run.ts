import * as z from 'zod/mini';

/** Where a run stands. */
export const RunPhase = z.enum([
  'dispatching',
  'preparing_workspace',
  'building_prompt',
  'launching_agent_process',
  'initializing_session',
  'streaming_turn',
  'finishing',
  'stopping',
]);
export type RunPhase = z.infer<typeof RunPhase>;

/** How a run ended. */
export const RunOutcome = z.enum([
  'succeeded',
  'failed',
  'timed_out',
  'stalled',
  'canceled_by_reconciliation',
  'stopped_by_operator',
  'input_required',
  'limit_reached',
  'interrupted',
]);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** The outcomes that somebody outside the run decides, and that a stop order therefore names. */
export const StopReason = z.enum([
  'stalled',
  'canceled_by_reconciliation',
  'stopped_by_operator',
  'limit_reached',
  'interrupted',
]);
export type StopReason = z.infer<typeof StopReason>;
