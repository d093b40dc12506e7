import {type Claim, type ClaimKey, type HoldReason, NO_COUNTERS, projectOf} from '../claim.ts';
import type {Draft} from '../draft.ts';
import type {OperatorCommand} from '../event.ts';
import {candidateOf, dismiss} from '../run/dismissal.ts';
import {endHold, hold, isUnreadable} from '../run/hold.ts';
import {release} from '../run/release.ts';
import {retryAtOnce} from '../run/retry.ts';
import {stopRun} from '../run/stop.ts';
import {onTickAsked} from '../tracker/tick.ts';
import {discardKept} from './clean.ts';
import type {Kept} from './kept.ts';

/** An order about one issue, before its identifier is resolved. */
export type IssueOrder =
  | {readonly command: 'stop' | 'restart' | 'dismiss' | 'clean'}
  | {readonly command: 'retry'; readonly message: string | null};

/** More than a person would write; a looping script must not fill the store. */
const MAX_MESSAGES = 20;

/** Why an order cannot be carried out in the current state; the API checks this before it accepts one. */
export function conflictOf(
  claim: Claim | undefined,
  order: IssueOrder,
  kept: readonly Kept[] = [],
): string | null {
  if (order.command === 'clean') {
    if (claim !== undefined) return `the issue is ${claim.is}`;
    return kept.length === 0 ? 'no workspace of the issue is kept' : null;
  }
  if (claim === undefined) return 'the issue is not claimed';
  switch (order.command) {
    case 'stop':
    case 'restart':
      return null;
    case 'dismiss':
      if (isUnreadable(claim)) return UNREADABLE;
      return isCleaning(claim) ? 'the issue is over, and its workspace is being cleaned' : null;
    case 'retry': {
      if (claim.is === 'running' || claim.is === 'stopping') return `the issue is ${claim.is}`;
      if (isUnreadable(claim)) return UNREADABLE;
      const isFull = order.message !== null && claim.messages.length >= MAX_MESSAGES;
      return isFull ? `${MAX_MESSAGES} messages wait for the agent already` : null;
    }
  }
}

const UNREADABLE = 'its stored claim cannot be read; restart it to start over';

function isCleaning(claim: Claim): boolean {
  return claim.is === 'stopping' && claim.run === null;
}

export function onOperatorCommanded(draft: Draft, command: OperatorCommand): void {
  switch (command.command) {
    case 'stop':
      return stop(draft, command.key);
    case 'restart':
      return restart(draft, command.key);
    case 'dismiss':
      return dismissIssue(draft, command.key, command.orderedAt);
    case 'retry':
      return retryNow(draft, command.key, command.message);
    case 'clean':
      return clean(draft, command.key);
    case 'pause':
    case 'resume':
      return pause(draft, command.project, command.command === 'pause');
    case 'refresh':
      for (const project of [...draft.state.projects.values()]) {
        if (command.project === null || command.project === project.name)
          onTickAsked(draft, project);
      }
      return;
  }
}

const STOPPED: HoldReason = {code: 'stopped_by_operator', message: 'stopped by an operator'};
const HOLD = {do: 'hold', because: STOPPED, question: null} as const;
const RELEASE = {do: 'release', by: 'operator'} as const;
const DISMISS = {do: 'dismiss'} as const;

/** The run ends, its workspace is kept, the issue is held. */
function stop(draft: Draft, key: ClaimKey): void {
  const claim = draft.claims.get(key);
  if (claim?.is === 'running') stopRun(draft, key, claim, 'stopped_by_operator', HOLD);
  // A workspace that is being cleaned can no longer be kept: its issue is terminal.
  else if (claim?.is === 'stopping' && claim.run !== null) draft.put(key, {...claim, next: HOLD});
  else if (claim?.is === 'retrying') {
    hold(draft, key, claim, STOPPED, null);
    draft.refill(); // a continuation had kept its slot
  }
}

/** Any run ends; claim, thread and counters are dropped. If the issue is still active, it starts over. */
function restart(draft: Draft, key: ClaimKey): void {
  const claim = draft.claims.get(key);
  if (claim === undefined) return;
  draft.count(key, NO_COUNTERS);
  if (claim.is === 'running') stopRun(draft, key, claim, 'stopped_by_operator', RELEASE);
  else if (claim.is === 'stopping') draft.put(key, {...claim, next: RELEASE});
  else {
    release(draft, key);
    draft.refill();
  }
}

/**
 * The issue is ignored in its present form. A run ends first, and its agent may change the issue until then.
 * So the issue is compared with a read that was requested after the order, and after the run.
 */
function dismissIssue(draft: Draft, key: ClaimKey, orderedAt: number): void {
  const known = draft.claims.get(key);
  if (known === undefined) {
    const candidate = candidateOf(draft.state, key);
    if (candidate === null) return;
    dismiss(draft, key, {...candidate, readAt: orderedAt}, false);
  } else {
    if (known.is === 'dismissed' || conflictOf(known, {command: 'dismiss'}) !== null) return;
    const claim = {...known, readAt: Math.max(known.readAt, orderedAt)};
    if (claim.is === 'running') stopRun(draft, key, claim, 'stopped_by_operator', DISMISS);
    else if (claim.is === 'stopping') draft.put(key, {...claim, next: DISMISS});
    else dismiss(draft, key, claim, false);
  }
  onTickAsked(draft, draft.loaded(projectOf(key)));
  draft.refill(); // a continuation had kept its slot
}

/** Removes kept workspaces, with the work in them. */
function clean(draft: Draft, key: ClaimKey): void {
  const kept = draft.kept(key);
  if (conflictOf(draft.claims.get(key), {command: 'clean'}, kept) !== null) return;
  const project = draft.project(projectOf(key));
  if (project !== null) discardKept(draft, project, key);
}

/** Due now, with the operator's message; after a hold, with counters reset to zero. */
function retryNow(draft: Draft, key: ClaimKey, message: string | null): void {
  const claim = draft.claims.get(key);
  if (conflictOf(claim, {command: 'retry', message}) !== null) return;
  if (claim?.is === 'held' || claim?.is === 'dismissed')
    endHold(draft, key, withMessage(draft, claim, message));
  else if (claim?.is === 'retrying') {
    retryAtOnce(draft, key, withMessage(draft, claim, message));
  }
  draft.refill();
}

function withMessage<C extends Claim>(draft: Draft, claim: C, message: string | null): C {
  const text = message?.trim() ?? '';
  if (text === '') return claim;
  const added = {id: draft.nextMessageId(), text, at: draft.at};
  // The message is for the agent, whose next clean run delivers everything.
  return {...claim, messages: [...claim.messages, added], undelivered: null};
}

function pause(draft: Draft, name: string | null, isPaused: boolean): void {
  for (const project of [...draft.state.projects.values()]) {
    if (name !== null && name !== project.name) continue;
    const current = draft.writeProject(project.name, {isPaused});
    if (!isPaused) onTickAsked(draft, current);
  }
  if (!isPaused) draft.refill();
}
