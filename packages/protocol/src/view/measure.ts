import * as z from 'zod/mini';

/**
 * What is known of tokens: all (`measured`), the last figures seen of a turn that was cut off (`partial`), or nothing, because
 * the agent does not say (`unmeasured`). An older version does not tell.
 */
export const Measure = z._default(z.enum(['measured', 'partial', 'unmeasured']), 'measured');
export type Measure = z.infer<typeof Measure>;

export function measureOf(isMeasured: boolean, isPartial = false): Measure {
  if (!isMeasured) return 'unmeasured';
  return isPartial ? 'partial' : 'measured';
}

/** Of several runs together. */
export function measureOfAll(runs: number, unmeasured: number, partial: number): Measure {
  if (runs > 0 && unmeasured === runs) return 'unmeasured';
  return measureOf(true, unmeasured + partial > 0);
}
