// The long form: weeks of simulated time, seed after seed, until the time is up. A story that fails is
// told again by `SEED=… DAYS=… npm run test:simulation`.
import {simulate} from './simulation.ts';

const {SEED, SEEDS, SIMULATION_SECONDS = '120', DAYS = '14'} = process.env;
const first = Number(SEED ?? Math.floor(Math.random() * 1_000_000));
const count = SEED !== undefined ? 1 : Number(SEEDS ?? Number.POSITIVE_INFINITY);
// Seeds that are counted are not timed.
const until =
  SEEDS === undefined
    ? performance.now() + Number(SIMULATION_SECONDS) * 1000
    : Number.POSITIVE_INFINITY;
let days = 0;
let failures = 0;
for (let seed = first; seed < first + count && performance.now() < until; seed++) {
  try {
    const told = await simulate(seed, Number(DAYS));
    days += told.days;
    console.log(`SEED=${seed}: ${told.days} days, ${told.lives} lives, ${told.runs} runs`);
  } catch (error) {
    failures++;
    console.error(String(error));
  }
}
console.log(`${days} days in all, ${failures} stories with a broken promise`);
// An abandoned life may still have something open.
process.exit(failures === 0 ? 0 : 1);
