import {
  type RetryingRow,
  type RunOutcome,
  type Usage,
  usageBeyond,
} from '@symphony-supervisor/protocol';
import {type Claim, type ClaimKey, projectOf} from '../claim.ts';
import type {Decision} from '../draft.ts';
import type {Effect} from '../effect.ts';
import type {Event} from '../event.ts';
import type {State} from '../state.ts';
import {kindOf} from './claim-rows.ts';

/** The contribution of a decision to counters and histograms. */
export type Measure = {readonly project: string} & (
  | {readonly is: 'run-started'; readonly role: string}
  | {
      readonly is: 'run-ended';
      readonly role: string;
      readonly outcome: RunOutcome;
      readonly failure: string | null;
      readonly seconds: number;
    }
  /** `cause`: the code of the failure, `operator`, or `none`. */
  | {readonly is: 'retry'; readonly kind: RetryingRow['kind']; readonly cause: string}
  | {readonly is: 'tokens'; readonly usage: Usage}
  | {readonly is: 'read'; readonly read: 'claimed' | 'candidates' | 'issue'; readonly ok: boolean}
  /** From the end of the wait for a tick until the next wait. */
  | {readonly is: 'tick-ended' | 'tick-began'; readonly at: number}
);

/** Called for every event: only a few lookups. */
export function measuresOf(before: State, event: Event, decision: Decision): Measure[] {
  const {state: after, effects, touched} = decision;
  const found: Measure[] = [...readOf(event)];
  if (event.type === 'runner.reported') found.push(...tokensOf(before, after, event.key));
  else for (const key of touched.claims) found.push(...retryOf(before, after, key));
  if (before.projects !== after.projects) found.push(...ticksOf(before, after, event.at));
  for (const effect of effects) found.push(...ofEffect(before, effect));
  return found;
}

function readOf(event: Event): Measure[] {
  switch (event.type) {
    case 'claimed.read':
      return [{is: 'read', project: event.project, read: 'claimed', ok: event.answer.ok}];
    case 'candidates.read':
      return [{is: 'read', project: event.project, read: 'candidates', ok: event.answer.ok}];
    case 'issue.read':
      return [{is: 'read', project: projectOf(event.key), read: 'issue', ok: event.answer.ok}];
    default:
      return [];
  }
}

function ofEffect(before: State, effect: Effect): Measure[] {
  if (effect.do === 'start-run') {
    return [{is: 'run-started', project: projectOf(effect.key), role: effect.run.role}];
  }
  if (effect.do !== 'record-run') return [];
  const {key, role, outcome, failure, startedAt, endedAt, usage} = effect.record;
  const project = projectOf(key);
  const seconds = Math.max(0, endedAt - startedAt) / 1000;
  return [
    {is: 'run-ended', project, role, outcome, failure, seconds},
    // Told with its result, and not before.
    {is: 'tokens', project, usage: usageBeyond(usageOf(before, key) ?? usage, usage)},
  ];
}

/** A rescheduled retry is not a new one, and a shutdown run is resumed, not retried. */
function retryOf(before: State, {claims, isShuttingDown}: State, key: ClaimKey): Measure[] {
  const former = before.claims.get(key);
  const claim = claims.get(key);
  if (isShuttingDown || claim?.is !== 'retrying' || former?.is === 'retrying') return [];
  return [{is: 'retry', project: claim.project, kind: kindOf(claim), cause: causeOf(former)}];
}

function causeOf(former: Claim | undefined): string {
  if (former?.is === 'held' || former?.is === 'dismissed') return 'operator';
  if (former?.is !== 'stopping') return 'none';
  const {next} = former;
  return 'failure' in next ? next.failure.code : 'none';
}

function tokensOf(before: State, after: State, key: ClaimKey): Measure[] {
  const known = usageOf(before, key);
  const now = usageOf(after, key);
  if (known === null || now === null || known === now) return [];
  return [{is: 'tokens', project: projectOf(key), usage: usageBeyond(known, now)}];
}

function usageOf({claims}: State, key: ClaimKey): Usage | null {
  const claim = claims.get(key);
  return claim !== undefined && 'run' in claim ? (claim.run?.usage ?? null) : null;
}

function ticksOf(before: State, after: State, at: number): Measure[] {
  return [...after.projects].flatMap(([project, {poll}]): Measure[] => {
    const wasWaiting = (before.projects.get(project)?.poll.is ?? 'waiting') === 'waiting';
    const isWaiting = poll.is === 'waiting';
    if (wasWaiting === isWaiting) return [];
    return [{is: isWaiting ? 'tick-ended' : 'tick-began', project, at}];
  });
}
