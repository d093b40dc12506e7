import {test} from 'node:test';
import fc from 'fast-check';
import {HISTORY, World} from './world.ts';

/** A tenth of what `npm run test:histories` plays, which `.ci/run` comes to. */
const HISTORIES = Number(process.env.HISTORIES ?? 1000);
/** The same ones for everybody, so that a change is judged and not luck; another number for others. */
const SEED = Number(process.env.HISTORIES_SEED ?? 1);

test(`${HISTORIES} histories: nothing runs twice, no limit is broken, every claim is in motion`, () => {
  fc.assert(
    fc.property(HISTORY, (choices) => {
      const world = new World();
      for (const choice of choices) world.step(choice);
    }),
    {numRuns: HISTORIES, seed: SEED, includeErrorInReport: true},
  );
});
