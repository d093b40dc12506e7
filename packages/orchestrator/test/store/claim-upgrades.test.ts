import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import type {Claim} from '../../src/core/claim.ts';
import {claimJson, parseClaim} from '../../src/store/claims/claim-schema.ts';
import {
  type JsonObject,
  toClaimVersion3,
  toClaimVersion4,
} from '../../src/store/claims/claim-upgrades.ts';
import {anyClaim} from './any-claim.ts';

for (const [kind, claims] of Object.entries(anyClaim)) {
  test(`any ${kind} claim of version 3 is read as version 4: of Codex, measured, without models`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now = asOfCodex(JSON.parse(claimJson(claim)));
        const {version: _, ...expected} = now;
        assert.deepEqual(plain(parseClaim(toClaimVersion4(asVersion3(now)))), expected);
      }),
    );
  });

  test(`any ${kind} claim of version 2 is read as version 4: its run has made nothing that is known`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now = asOfCodex(JSON.parse(claimJson(claim)));
        const run = now.run as {result?: JsonObject | null} | null | undefined;
        const {made: _, links: __, ...result} = run?.result ?? {};
        const then = {...now, ...(run?.result ? {run: {...run, result}} : {})};
        const read = parseClaim(toClaimVersion4(toClaimVersion3(asVersion3(then))));
        const known = run?.result
          ? {run: {...run, result: {...result, made: null, links: []}}}
          : {};
        const {version: ___, ...expected} = {...now, ...known} as JsonObject;
        assert.deepEqual(plain(read), expected);
      }),
    );
  });
}

/** What version 4 takes an older claim for. */
function asOfCodex(claim: JsonObject): JsonObject {
  return change(claim, (object) => ({
    ...object,
    ...('prompt_digest' in object ? {agent: 'codex'} : {}),
    ...('is_measured' in object ? {is_measured: true, models: []} : {}),
    ...('isMeasured' in object ? {isMeasured: true} : {}),
  }));
}

/** The same as version 3 wrote it. */
function asVersion3(claim: JsonObject): JsonObject {
  const older = change(claim, (object) => {
    const {is_measured: _, models: __, isMeasured: ___, ...rest} = object;
    if ('prompt_digest' in rest) delete rest.agent;
    if (typeof rest.code === 'string') rest.code = rest.code.replace(/^agent_/, 'codex_');
    return rest;
  });
  return {...older, version: 3};
}

function change(
  value: JsonObject,
  alter: (object: Record<string, unknown>) => JsonObject,
): JsonObject {
  const below = Object.entries(value).map(([key, inner]) => [
    key,
    // What the tracker says of an issue is nothing of ours.
    key !== 'issue' && typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? change(inner as JsonObject, alter)
      : inner,
  ]);
  return alter(Object.fromEntries(below));
}

function plain(claim: Claim): unknown {
  return JSON.parse(JSON.stringify(claim));
}
