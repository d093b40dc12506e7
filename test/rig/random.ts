/** A whole number from 0 up to, not including, `below`. */
export interface Random {
  (below: number): number;
  of<T>(choices: readonly T[]): T;
}

/** The same seed, the same numbers (mulberry32): a failure can be looked at again. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
  return Object.assign(next, {
    of<T>(choices: readonly T[]): T {
      const chosen = choices[next(choices.length)];
      if (chosen === undefined) throw new Error('there is nothing to choose from');
      return chosen;
    },
  });
}
