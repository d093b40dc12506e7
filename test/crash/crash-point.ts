/**
 * A moment of a supervisor's life: the nth write of its kind to the store, just before it, or just
 * after it and before what it was for. By kind, because how many there are of all kinds is a matter
 * of timing.
 */
export interface CrashPoint {
  readonly write: string;
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/**
 * Both sides of every write that is meant and says something new. The others are progress, written by
 * the clock; but for the first of all, which is the start itself.
 */
export function crashPoints(writes: readonly string[], meant: RegExp): CrashPoint[] {
  const seen = new Map<string, number>();
  return writes.flatMap((write, index) => {
    const [before, after] = write.split(' → ');
    if (!meant.test(write) || (before === after && index > 0)) return [];
    const nth = (seen.get(write) ?? 0) + 1;
    seen.set(write, nth);
    return [
      {write, nth, when: 'before' as const},
      {write, nth, when: 'after' as const},
    ];
  });
}
