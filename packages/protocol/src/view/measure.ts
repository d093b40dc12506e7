import * as z from 'zod/mini';

/** Whether the agent says what it uses; if not, its tokens are unknown. An older version does not tell. */
export const Measure = z._default(z.enum(['measured', 'unmeasured']), 'measured');
export type Measure = z.infer<typeof Measure>;

export function measureOf(isMeasured: boolean): Measure {
  return isMeasured ? 'measured' : 'unmeasured';
}
