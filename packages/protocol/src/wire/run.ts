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
  /** On record for a clean run that certainly changed nothing; a runner says that it succeeded. */
  'no_change',
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

/** The agent ended its work by itself, and nothing failed. */
export function isClean(outcome: RunOutcome): boolean {
  return outcome === 'succeeded' || outcome === 'no_change';
}

/** The outcomes that are decided outside the run, and that a stop order therefore names. */
export const StopReason = z.enum([
  'stalled',
  'canceled_by_reconciliation',
  'stopped_by_operator',
  'limit_reached',
  'interrupted',
]);
export type StopReason = z.infer<typeof StopReason>;
