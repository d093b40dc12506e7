const {RUNS: given, FUZZ_SEED} = process.env;

/** Inputs per property. More of them, and others: `npm run test:fuzz`. A failure prints its seed. */
export const RUNS = Number(given ?? 300);

/** Always the same ones in the short form: what fails there was broken by a change. */
const seed = Number(FUZZ_SEED ?? (given === undefined ? 1 : Date.now() % 2 ** 31));

export const OPTIONS = {numRuns: RUNS, seed, includeErrorInReport: true} as const;
