import type {Failure, ResultLink} from '@symphony-supervisor/protocol';
import {type ClaimKey, type Ending, type Running, undeliveredRun} from '../claim.ts';
import {standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {Event} from '../event.ts';
import {confirmThenClean} from '../life/clean.ts';
import {hold} from './hold.ts';
import {isReached} from './limits.ts';
import {resultsOf} from './results.ts';
import {retryAfterFailure, retryWithoutAttempt} from './retry.ts';

/**
 * A clean run whose delivery failed. Nothing else happens to its issue, whatever its state, until the
 * delivery has succeeded or an operator acts.
 */
export function undelivered(claim: Ending): Ending {
  const run = undeliveredRun(claim.run);
  const failure = run?.result?.failure ?? null;
  if (run === null || failure === null) return claim;
  const {next} = claim;
  // A change in the tracker has to wait. An operator's order does not.
  const isPutOff = next.do === 'clean' || (next.do === 'release' && next.by === 'tracker');
  return {
    ...{...claim, run, undelivered: run, failures: 0, threadFailures: 0},
    next: isPutOff ? {do: 'deliver', failure} : next,
  };
}

/** Retried without an agent, with the limit and the backoff of a run. */
export function deliverLater(draft: Draft, key: ClaimKey, claim: Ending, failure: Failure): void {
  const failed = {...claim, failures: claim.failures + 1};
  const {failures} = failed;
  const reason = failure.message;
  draft.order({do: 'log', level: 'warn', event: 'delivery.failed', key, reason});
  const {agent, tracker} = draft.projectOf(claim).workflow.settings;
  if (!isReached(failures, agent.maxConsecutiveFailures)) {
    return retryAfterFailure(draft, key, failed, failure);
  }
  // A terminal issue stays terminal. The inspection before cleaning keeps its workspace.
  if (standingOf(claim.issue, tracker) === 'terminal') return confirmThenClean(draft, key, failed);
  const message = `${failures} deliveries in a row have failed`;
  hold(draft, key, failed, {code: 'delivery_failed', message}, null, reason);
}

export function onWorkDelivered(
  draft: Draft,
  key: ClaimKey,
  claim: Running | Ending,
  {failure, links}: Extract<Event, {type: 'work.delivered'}>,
): void {
  if (claim.is !== 'stopping' || claim.step !== 'delivering') return;
  if (failure === null) {
    const all = merged(resultsOf(claim).links, links);
    draft.order({do: 'record-delivery', delivery: {runId: claim.run.id, links: all}});
    readNext(draft, key, {...claim, outcome: 'succeeded', failures: 0, undelivered: null});
  } else if (claim.next.do !== 'continue') {
    readNext(draft, key, claim); // an operator has given an order in the meantime
  } else if (failure.code === 'workspace_busy') {
    retryWithoutAttempt(draft, key, claim, failure);
  } else deliverLater(draft, key, claim, failure);
}

/** As after every end of a run; during a shutdown the next start reads. */
function readNext(draft: Draft, key: ClaimKey, claim: Ending): void {
  const {run, issue} = claim;
  draft.put(key, {...claim, step: 'reading'});
  if (!draft.state.isShuttingDown) draft.order({do: 'read-issue', key, runId: run.id, issue});
}

/** A later link replaces an earlier one with the same name. */
function merged(before: readonly ResultLink[], after: readonly ResultLink[]): ResultLink[] {
  const byName = new Map([...before, ...after].map((link) => [link.name, link]));
  return [...byName.values()];
}
