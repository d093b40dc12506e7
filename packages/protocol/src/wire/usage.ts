import * as z from 'zod/mini';

const tokens = z.int().check(z.minimum(0));

/** Tokens. `input` includes `cached_input`, `output` includes `reasoning_output`; `total` = input + output. */
export const Usage = z.object({
  input_tokens: tokens,
  cached_input_tokens: tokens,
  output_tokens: tokens,
  reasoning_output_tokens: tokens,
  total_tokens: tokens,
});
export type Usage = z.infer<typeof Usage>;

/** Tokens of one model; null: the agent does not say which. */
export const ModelUsage = z.object({model: z.nullable(z.string()), usage: Usage});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** What a run has used so far. Nothing counted by an agent that does not measure is not "nothing used". */
export const measuredUsage = {
  is_measured: z.boolean(),
  /** A turn is under way, or was cut off before the agent had said what it used: these are the last figures seen. */
  is_partial: z.optional(z.boolean()),
  usage: Usage,
  /** The same by model. */
  models: z.array(ModelUsage),
};

export const NO_USAGE: Usage = Object.freeze({
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: 0,
});

const FIELDS = Object.keys(NO_USAGE) as (keyof Usage)[];

export function addUsage(a: Usage, b: Usage): Usage {
  return combine((field) => a[field] + b[field]);
}

/** What `total` holds beyond `counted`: never negative, so a total that shrinks counts nothing. */
export function usageBeyond(counted: Usage, total: Usage): Usage {
  return combine((field) => Math.max(0, total[field] - counted[field]));
}

/** Field by field the larger: the high-water mark against which the next delta is taken. */
export function largerUsage(a: Usage, b: Usage): Usage {
  return combine((field) => Math.max(a[field], b[field]));
}

function combine(take: (field: keyof Usage) => number): Usage {
  const result = {...NO_USAGE};
  for (const field of FIELDS) result[field] = take(field);
  return result;
}
