import assert from 'node:assert/strict';
import {test} from 'node:test';
import {simulate} from './simulation.ts';

// Weeks, and as many seeds as there is time for: `npm run test:simulation`.
const {SEED = '1', SEEDS = '2', DAYS = '1'} = process.env;
const seeds = Array.from({length: Number(SEEDS)}, (_, index) => Number(SEED) + index);

for (const seed of seeds) {
  test(`no promise is broken in ${DAYS} days of trouble (SEED=${seed})`, async () => {
    const {lives, runs} = await simulate(seed, Number(DAYS));
    assert.ok(lives > 1 && runs > 50, `only ${lives} lives and ${runs} runs`);
  });
}

test('the same seed tells the same story', async () => {
  assert.deepEqual(await simulate(3, 0.1), await simulate(3, 0.1));
});
