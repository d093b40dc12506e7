export type JsonObject = Readonly<Record<string, unknown>>;

// Each function upgrades the JSON of a claim by one version. Its input was written by an older
// release, so it is not typed by the current claim, and it is never changed after its release.

/**
 * Version 2: the operator's message is a queue of the claim, reads are ordered by when they were asked
 * for, conflicts are counted, and a release says who decided it.
 */
export function toClaimVersion2(claim: JsonObject): JsonObject {
  const {operatorMessage: ofRetry = null, ...rest} = claim;
  const run = isObject(claim.run) ? claim.run : null;
  const {operatorMessage: ofRun = null, ...runRest} = run ?? {};
  // Once a turn had begun, the agent had the message.
  const waiting = run !== null && Number(run.turn) > 0 ? null : (ofRetry ?? ofRun);
  const messages = typeof waiting === 'string' ? [{id: 'v1', text: waiting, at: 0}] : [];
  const next = isObject(claim.next) ? claim.next : null;
  const by = claim.reason === 'stopped_by_operator' ? 'operator' : 'tracker';
  return {
    ...rest,
    version: 2,
    readAt: 0,
    messages,
    ...(run === null ? {} : {run: {...runRest, conflicts: 0}}),
    ...(next?.do === 'release' ? {next: {...next, by}} : {}),
  };
}

/** Version 3: the result of a run says what it made, and which links its hooks reported. */
export function toClaimVersion3(claim: JsonObject): JsonObject {
  const run = isObject(claim.run) ? claim.run : null;
  if (run === null || !isObject(run.result)) return {...claim, version: 3};
  const result = {...run.result, made: null, links: []};
  return {...claim, version: 3, run: {...run, result}};
}

const AGENT_CODES: JsonObject = {
  codex_not_found: 'agent_not_found',
  codex_incompatible: 'agent_incompatible',
};

/**
 * Version 4: a conversation names its kind of agent, which was Codex; failures no longer do; a run says
 * whether its tokens were measured, and of which models they are.
 */
export function toClaimVersion4(claim: JsonObject): JsonObject {
  const {run, next, because} = claim;
  return {
    ...claim,
    version: 4,
    thread: ofCodex(claim.thread),
    ...(isObject(because) ? {because: withAgentCode(because)} : {}),
    ...(isObject(next) ? {next: nextOfVersion4(next)} : {}),
    ...(isObject(run) ? {run: runOfVersion4(run)} : {}),
  };
}

function runOfVersion4(run: JsonObject): JsonObject {
  const {result} = run;
  if (!isObject(result)) return {...run, isMeasured: true};
  const failure = isObject(result.failure) ? withAgentCode(result.failure) : result.failure;
  const measured = {is_measured: true, models: []};
  return {
    ...run,
    isMeasured: true,
    result: {...result, ...measured, failure, thread: ofCodex(result.thread)},
  };
}

function nextOfVersion4(next: JsonObject): JsonObject {
  const {failure, because} = next;
  return {
    ...next,
    ...(isObject(failure) ? {failure: withAgentCode(failure)} : {}),
    ...(isObject(because) ? {because: withAgentCode(because)} : {}),
  };
}

function ofCodex(thread: unknown): unknown {
  return isObject(thread) ? {agent: 'codex', ...thread} : thread;
}

function withAgentCode(failure: JsonObject): JsonObject {
  return {...failure, code: AGENT_CODES[String(failure.code)] ?? failure.code};
}

/** Version 5: a run and a workspace know their host. All there was before is on the supervisor's own machine. */
export function toClaimVersion5({workspacePath, ...claim}: JsonObject): JsonObject {
  const workspace = typeof workspacePath === 'string' ? {host: 'local', path: workspacePath} : null;
  const run = isObject(claim.run) ? {run: {...claim.run, host: 'local'}} : {};
  return {...claim, ...run, workspace, version: 5};
}

/** Version 6: a claim keeps the run whose work is not delivered. No run of before has such work. */
export function toClaimVersion6(claim: JsonObject): JsonObject {
  return {...claim, undelivered: null, version: 6};
}

/**
 * Version 7: an issue can be dismissed, and no older claim was. A run has a role; before there were roles
 * it was the one that the file itself describes.
 */
export function toClaimVersion7(claim: JsonObject): JsonObject {
  const {run, undelivered} = claim;
  return {
    ...claim,
    version: 7,
    ...(isObject(run) ? {run: {...run, role: 'worker'}} : {}),
    ...(isObject(undelivered) ? {undelivered: {...undelivered, role: 'worker'}} : {}),
  };
}

/**
 * Version 8: a claim has the role that works on its issue, and a conversation has role, phase and tools.
 * All before was of the file itself and without phases; its tools are not on record.
 */
export function toClaimVersion8(claim: JsonObject): JsonObject {
  const {run, undelivered} = claim;
  return {
    ...claim,
    version: 8,
    authorRole: 'worker',
    thread: ofWorker(claim.thread),
    ...(isObject(run) ? {run: runOfVersion8(run)} : {}),
    ...(isObject(undelivered) ? {undelivered: runOfVersion8(undelivered)} : {}),
  };
}

function runOfVersion8(run: JsonObject): JsonObject {
  const {result} = run;
  if (!isObject(result)) return run;
  return {...run, result: {...result, thread: ofWorker(result.thread)}};
}

function ofWorker(thread: unknown): unknown {
  return isObject(thread) ? {...thread, role: 'worker', phase: null, tools_digest: null} : thread;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
