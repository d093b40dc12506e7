import {type Claim, type ClaimKey, EMPTY_BOOK, type HoldReason} from './claim.ts';
import {fillSlots} from './dispatch.ts';
import type {Draft} from './draft.ts';
import type {OperatorCommand} from './event.ts';
import {hold} from './hold.ts';
import {release} from './release.ts';
import {scheduleRetry} from './retry.ts';
import {stopRun} from './stop.ts';
import {onPollDue} from './tick.ts';

type IssueCommand = Extract<OperatorCommand, {key: ClaimKey}>['command'];

/** Whether a command can be carried out as things are; the API asks before it promises. */
export function conflictOf(claim: Claim | undefined, command: IssueCommand): string | null {
  if (claim === undefined) return 'the issue is not claimed';
  if (command !== 'retry') return null;
  return claim.is === 'running' || claim.is === 'stopping' ? `the issue is ${claim.is}` : null;
}

export function onOperatorCommanded(draft: Draft, command: OperatorCommand): void {
  switch (command.command) {
    case 'stop':
      return stop(draft, command.key);
    case 'release':
      return letLoose(draft, command.key);
    case 'retry':
      return retryNow(draft, command.key, command.message);
    case 'pause':
    case 'resume':
      return pause(draft, command.project, command.command === 'pause');
    case 'refresh':
      for (const project of [...draft.state.projects.values()]) {
        if (command.project === null || command.project === project.name) onPollDue(draft, project);
      }
      return;
  }
}

const STOPPED: HoldReason = {code: 'stopped_by_operator', message: 'stopped by an operator'};
const HOLD = {do: 'hold', because: STOPPED, question: null} as const;

/** The run ends, its workspace stays, the issue is held. */
function stop(draft: Draft, key: ClaimKey): void {
  const claim = draft.claims.get(key);
  if (claim?.is === 'running') stopRun(draft, key, claim, 'stopped_by_operator', HOLD);
  // A workspace that is being cleaned is past keeping: its issue is over.
  else if (claim?.is === 'stopping' && claim.run !== null) draft.put(key, {...claim, next: HOLD});
  else if (claim?.is === 'retrying') {
    hold(draft, key, claim, STOPPED, null);
    fillSlots(draft); // a continuation had kept its slot
  }
}

/** Any run ends; claim, thread and counters are dropped. */
function letLoose(draft: Draft, key: ClaimKey): void {
  const claim = draft.claims.get(key);
  if (claim === undefined) return;
  draft.writeBook(key, EMPTY_BOOK);
  if (claim.is === 'running') stopRun(draft, key, claim, 'stopped_by_operator', {do: 'release'});
  else if (claim.is === 'stopping') draft.put(key, {...claim, next: {do: 'release'}});
  else {
    release(draft, key);
    fillSlots(draft);
  }
}

/** Due now, with what the operator has to say; from a hold, with a clean slate. */
function retryNow(draft: Draft, key: ClaimKey, message: string | null): void {
  const claim = draft.claims.get(key);
  if (claim?.is === 'held') {
    draft.writeBook(key, EMPTY_BOOK);
    const fresh = {...claim, failures: 0, threadFailures: 0};
    scheduleRetry(draft, key, fresh, {
      kind: claim.thread === null ? 'resume' : 'continuation',
      attempt: claim.thread === null ? null : 1,
      dueAt: draft.at,
      lastError: null,
      operatorMessage: message,
    });
  } else if (claim?.is === 'retrying') {
    draft.put(key, {...claim, dueAt: draft.at, operatorMessage: message ?? claim.operatorMessage});
    draft.order({do: 'set-timer', timer: `retry ${key}`, at: draft.at});
  } else return;
  fillSlots(draft);
}

function pause(draft: Draft, name: string | null, isPaused: boolean): void {
  for (const project of [...draft.state.projects.values()]) {
    if (name !== null && name !== project.name) continue;
    const current = draft.writeProject(project.name, {isPaused});
    if (!isPaused) onPollDue(draft, current);
  }
  if (!isPaused) fillSlots(draft);
}
