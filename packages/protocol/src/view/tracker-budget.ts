import * as z from 'zod/mini';

const bucket = {limit: z.int(), remaining: z.int(), resets_at: z.nullable(z.string())};

/** What a tracker lets us ask, as its last answers told it. */
export const TrackerBudget = z.object({
  /** Requests since it was opened, by what came of them. */
  made: z.record(z.string(), z.int()),
  requests: z.nullable(z.object(bucket)),
  /** Where the provider prices its queries. */
  complexity: z.nullable(z.object({...bucket, last_cost: z.nullable(z.number())})),
  not_before: z.nullable(z.string()),
});
export type TrackerBudget = z.infer<typeof TrackerBudget>;
