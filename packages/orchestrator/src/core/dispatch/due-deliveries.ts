import {type Claim, type ClaimKey, commonOf, type Run} from '../claim.ts';
import type {Draft} from '../draft.ts';
import {isOver} from '../life/once.ts';
import {deliveryBlockOf} from './dispatch-block.ts';

type Retrying = Extract<Claim, {is: 'retrying'}>;

/** Due deliveries start immediately: they take no slot. A delivery that may not start now records the reason. */
export function startDueDeliveries(draft: Draft): void {
  for (const [key, claim] of draft.claims) {
    if (claim.is !== 'retrying' || claim.undelivered === null || claim.dueAt > draft.at) continue;
    const project = draft.project(claim.project);
    if (project === null || isOver(draft.state, claim.project)) continue;
    const why = deliveryBlockOf(draft.state, project);
    if (why === null) start(draft, key, claim, claim.undelivered);
    else if (why !== claim.waitsFor) draft.put(key, {...claim, waitsFor: why});
  }
}

function start(draft: Draft, key: ClaimKey, claim: Retrying, run: Run): void {
  draft.put(key, {
    is: 'stopping',
    ...commonOf(claim),
    run,
    outcome: 'failed',
    reason: null,
    next: {do: 'continue'},
    step: 'delivering',
  });
  draft.order({do: 'clear-timer', timer: `retry ${key}`}, {do: 'deliver-work', key, runId: run.id});
}
