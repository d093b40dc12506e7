import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import type {Claim} from '../../src/core/claim.ts';
import {claimJson, parseClaim} from '../../src/store/claims/claim-schema.ts';
import {
  type JsonObject,
  toClaimVersion3,
  toClaimVersion4,
  toClaimVersion5,
  toClaimVersion6,
  toClaimVersion7,
  toClaimVersion8,
} from '../../src/store/claims/claim-upgrades.ts';
import {anyClaim} from './any-claim.ts';

for (const [kind, claims] of Object.entries(anyClaim)) {
  test(`any ${kind} claim of version 7 is read today: the file itself is its author, and its conversation has no known tools`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now = asOfWorker(stored(claim));
        const then = {...beforeAuthors(now), version: 7};
        assert.deepEqual(plain(parseClaim(toClaimVersion8(plain(then)))), withoutVersion(now));
      }),
    );
  });

  test(`any ${kind} claim of version 6 is read today: its runs have the role worker`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now = withRole(asOfWorker(stored(claim)), {role: 'worker'});
        const then = {...withRole(beforeAuthors(now), {role: undefined}), version: 6};
        const read = parseClaim(toClaimVersion8(toClaimVersion7(plain(then))));
        assert.deepEqual(plain(read), withoutVersion(now));
      }),
    );
  });

  test(`any ${kind} claim of version 4 is read today: its run and its workspace are local, its role is worker, and nothing is undelivered`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now = onLocalHost(stored(claim));
        assert.deepEqual(plain(parseClaim(sinceVersion4(asVersion4(now)))), withoutVersion(now));
      }),
    );
  });

  test(`any ${kind} claim of version 3 is read today: of Codex, measured, without models`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now = asOfCodex(onLocalHost(stored(claim)));
        const read = parseClaim(sinceVersion4(toClaimVersion4(asVersion3(now))));
        assert.deepEqual(plain(read), withoutVersion(now));
      }),
    );
  });

  test(`any ${kind} claim of version 2 is read today: its run has made nothing that is known`, () => {
    fc.assert(
      fc.property(claims, (claim: Claim) => {
        const now = asOfCodex(onLocalHost(stored(claim)));
        const run = now.run as {result?: JsonObject | null} | null | undefined;
        const {made: _, links: __, ...result} = run?.result ?? {};
        const then = {...now, ...(run?.result ? {run: {...run, result}} : {})};
        const read = sinceVersion4(toClaimVersion4(toClaimVersion3(asVersion3(then))));
        const known = run?.result
          ? {run: {...run, result: {...result, made: null, links: []}}}
          : {};
        assert.deepEqual(plain(parseClaim(read)), withoutVersion({...now, ...known}));
      }),
    );
  });
}

function withRole(claim: JsonObject, role: JsonObject): JsonObject {
  const of = (name: string) => (claim[name] == null ? {} : {[name]: {...claim[name], ...role}});
  return {...claim, ...of('run'), ...of('undelivered')};
}

function sinceVersion4(claim: JsonObject): JsonObject {
  return toClaimVersion8(toClaimVersion7(toClaimVersion6(toClaimVersion5(claim))));
}

/** What version 8 takes an older claim for. */
function asOfWorker(claim: JsonObject): JsonObject {
  const known = change(claim, (object) =>
    'prompt_digest' in object
      ? {...object, role: 'worker', phase: null, tools_digest: null}
      : object,
  );
  return {...known, authorRole: 'worker'};
}

/** As version 7 wrote it. */
function beforeAuthors({authorRole: _, ...claim}: JsonObject): JsonObject {
  return change(claim, (object) => {
    if (!('prompt_digest' in object)) return object;
    const {role: __, phase: ___, tools_digest: ____, ...thread} = object;
    return thread;
  });
}

function stored(claim: Claim): JsonObject {
  return JSON.parse(claimJson(claim)) as JsonObject;
}

function withoutVersion({version: _, ...claim}: JsonObject): JsonObject {
  return claim;
}

/** The same with everything on the only host that there was, and delivered. */
function onLocalHost(given: JsonObject): JsonObject {
  const claim = asOfWorker(given);
  for (const part of [claim.workspace, claim.run]) {
    if (part != null) Object.assign(part, {host: 'local'});
  }
  if (claim.run != null) Object.assign(claim.run, {role: 'worker'});
  return {...claim, undelivered: null};
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

/** As version 4 wrote it: a workspace was its path, and a run named neither host nor role. */
function asVersion4(given: JsonObject): JsonObject {
  const {workspace, undelivered: _, ...claim} = beforeAuthors(given);
  const {path = null} = (workspace ?? {}) as {path?: string};
  const {host: __, role: ___, ...run} = (claim.run ?? {}) as JsonObject;
  return {...claim, ...(claim.run == null ? {} : {run}), workspacePath: path, version: 4};
}

/** As version 3 wrote it: of Codex without saying so. */
function asVersion3(claim: JsonObject): JsonObject {
  const older = change(asVersion4(claim), (object) => {
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

function plain(claim: Claim | JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(claim));
}
