/** What is measured, beside the least that it could cost, measured in the same run on the same machine. */
export interface Row {
  readonly measure: string;
  readonly value: Quantity;
  readonly floor: Quantity | null;
  /** null: only reported. */
  readonly aim: Aim | null;
}

export interface Quantity {
  readonly amount: number;
  readonly unit: 'ms' | 'µs' | 'MB';
}

/** The most that the value may be: so many times the floor, or so much more than it. */
export type Aim =
  | {readonly is: 'times'; readonly atMost: number}
  | {readonly is: 'more'; readonly atMost: number};

export interface Effort {
  /** Minutes instead of seconds: the sizes of the aims, and more samples. */
  readonly full: boolean;
}

export interface Measure {
  readonly name: string;
  /** Takes too long, or says too little at a small size, for a run of seconds. */
  readonly fullOnly?: boolean;
  /** Part of the guard: steady, even on a machine that has other things to do. */
  readonly isGuarded: boolean;
  readonly take: (effort: Effort) => Promise<readonly Row[]>;
}

/** How the value stands to the floor, in the terms of the aim; null where there is nothing to compare. */
export function comparison({value, floor, aim}: Row): number | null {
  if (floor === null) return null;
  return aim?.is === 'more' ? value.amount - floor.amount : value.amount / floor.amount;
}

/** `slack` widens the aim: a guard must not fail because the machine has other things to do. */
export function isWithin(row: Row, slack = 1): boolean {
  const found = comparison(row);
  return row.aim === null || found === null || found <= row.aim.atMost * slack;
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

type Sample = () => Promise<number>;

/** Medians of both, sampled in turn, so that whatever else the machine does happens to both. */
export async function inTurn(
  repeats: number,
  value: Sample,
  floor: Sample,
): Promise<{readonly value: number; readonly floor: number}> {
  const values: number[] = [];
  const floors: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    // Neither always goes first: the second finds the machine warm.
    const order = repeat % 2 === 0 ? ['value', 'floor'] : ['floor', 'value'];
    for (const which of order) {
      if (which === 'value') values.push(await value());
      else floors.push(await floor());
    }
  }
  return {value: median(values), floor: median(floors)};
}
