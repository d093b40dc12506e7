import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import type {Claim} from '../../src/core/claim.ts';
import {claimJson, parseClaim} from '../../src/store/claims/claim-schema.ts';
import {type JsonObject, toClaimVersion3} from '../../src/store/claims/claim-upgrades.ts';
import {anyClaim} from './any-claim.ts';

for (const [kind, claims] of Object.entries(anyClaim)) {
  test(`any ${kind} claim of version 2 is read as version 3: its run has made nothing that is known`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now: JsonObject = JSON.parse(claimJson(claim));
        const run = now.run as {result?: JsonObject | null} | null | undefined;
        const {made: _, links: __, ...result} = run?.result ?? {};
        const then = {...now, version: 2, ...(run?.result ? {run: {...run, result}} : {})};
        const read = parseClaim(toClaimVersion3(then));
        const known = run?.result
          ? {run: {...run, result: {...result, made: null, links: []}}}
          : {};
        const {version: ___, ...expected} = {...now, ...known} as JsonObject;
        assert.deepEqual(JSON.parse(JSON.stringify(read)), expected);
      }),
    );
  });
}
