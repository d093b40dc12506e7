import {agentNamed, type Failure, HEARTBEAT_MS} from '@symphony-supervisor/protocol';
import type {ClaimKey, Ending, Run, Running} from '../claim.ts';
import type {Draft} from '../draft.ts';
import type {Project} from '../state.ts';
import {stopRun} from './stop.ts';

/** A runner sends a heartbeat every few seconds; after six missing ones it is considered dead. */
export const HEARTBEAT_LIMIT_MS = 6 * HEARTBEAT_MS;

/** The timer is set when the clock starts and then checks the last sign of life: no message moves it. */
export function armStallClock(draft: Draft, key: ClaimKey): void {
  const claim = draft.claims.get(key);
  if (claim?.is !== 'running' || claim.run.lastHeardAt === null) return;
  const limit = stallLimitOf(draft.projectOf(claim), claim.run);
  if (limit === null) draft.order({do: 'clear-timer', timer: `stall ${key}`});
  else draft.order({do: 'set-timer', timer: `stall ${key}`, at: claim.run.lastHeardAt + limit});
}

/** Only silence of the agent counts; during a hook or a tool call the clock is paused. */
export function onStallDue(draft: Draft, key: ClaimKey, claim: Running): void {
  const limit = stallLimitOf(draft.projectOf(claim), claim.run);
  const {lastHeardAt} = claim.run;
  if (limit === null || lastHeardAt === null) return;
  if (draft.at < lastHeardAt + limit) return armStallClock(draft, key);
  const failure: Failure = {code: 'stalled', message: `no sign of life for ${limit} ms`};
  stopRun(draft, key, claim, 'stalled', {do: 'retry', failure});
}

export function onHeartbeatDue(draft: Draft, key: ClaimKey, claim: Running | Ending): void {
  const {heartbeatAt, id} = claim.run;
  const dueAt = heartbeatAt + HEARTBEAT_LIMIT_MS;
  if (draft.at < dueAt) draft.order({do: 'set-timer', timer: `heartbeat ${key}`, at: dueAt});
  // Its end arrives as an exit without a result, which decides what follows.
  else
    draft.order(
      {do: 'kill-run', runId: id},
      {do: 'log', level: 'error', event: 'runner.silent', key},
    );
}

/** null: silence is never a stall. */
export function stallLimitOf({workflow}: Project, {role}: Pick<Run, 'role'>): number | null {
  const limit = agentNamed(workflow, role).stallTimeoutMs;
  return limit > 0 ? limit : null;
}
