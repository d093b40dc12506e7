import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {addUsage, largerUsage, NO_USAGE, Usage, usageBeyond} from '../src/index.ts';

const count = fc.nat(1_000_000);
const usage: fc.Arbitrary<Usage> = fc.record({
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  reasoning_output_tokens: count,
  total_tokens: count,
});

test('counting what lies beyond never counts twice and never goes below zero', () => {
  fc.assert(
    fc.property(fc.array(usage), (totals) => {
      let counted = NO_USAGE;
      let sum = NO_USAGE;
      for (const total of [...totals, ...totals]) {
        sum = addUsage(sum, usageBeyond(counted, total));
        counted = largerUsage(counted, total);
      }
      assert.deepEqual(sum, totals.reduce(largerUsage, NO_USAGE));
      Usage.parse(sum);
    }),
  );
});
