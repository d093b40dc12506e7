import {type Issue, sameState} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey, Dismissed, Held, Next, Running} from '../claim.ts';
import {type Standing, standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import {confirmThenClean} from '../life/clean.ts';
import {staysDismissed} from '../run/dismissal.ts';
import {isUnreadable, releaseHold} from '../run/hold.ts';
import {release} from '../run/release.ts';
import {hasRunner, stopRun} from '../run/stop.ts';

/** One read of several issues of a project. */
export interface ReadOfMany {
  readonly project: string;
  readonly scope: number;
  /** Issues outside this read are not touched. */
  readonly ids: readonly string[];
  readonly askedAt: number;
  readonly found: readonly Issue[];
}

/** Compares the claims with the read. If a newer read has arrived, this one is ignored. */
export function reconcile(draft: Draft, read: ReadOfMany): void {
  const {tracker} = draft.loaded(read.project).workflow.settings;
  const byId = new Map(read.found.map((issue) => [issue.id, issue]));
  const asked = new Set(read.ids);
  for (const [key, claim] of [...draft.claims]) {
    if (claim.project !== read.project || claim.scope !== read.scope) continue;
    if (!asked.has(claim.issue.id) || read.askedAt < claim.readAt) continue;
    const issue = byId.get(claim.issue.id) ?? null;
    const current: Claim = {...claim, issue: issue ?? claim.issue, readAt: read.askedAt};
    draft.put(key, current);
    reconcileOne(draft, key, current, {
      before: claim.issue,
      issue,
      standing: standingOf(issue, tracker),
    });
  }
}

/** The result of a read for one issue, and that of the read before. */
interface Reading {
  readonly before: Issue;
  readonly issue: Issue | null;
  readonly standing: Standing;
}

function reconcileOne(draft: Draft, key: ClaimKey, claim: Claim, reading: Reading): void {
  const {issue, standing} = reading;
  switch (claim.is) {
    case 'running':
      return reconcileRun(draft, key, claim, standing);
    case 'stopping':
      return; // the read that follows its end decides
    case 'retrying':
      // The delivery comes first; then the tracker's state applies.
      if (claim.undelivered !== null) return;
      if (standing === 'terminal') confirmThenClean(draft, key, claim);
      else if (standing === 'inactive') release(draft, key, issue);
      return;
    case 'held':
      return reconcileHold(draft, key, claim, reading);
    case 'dismissed':
      return reconcileDismissed(draft, key, claim, reading);
  }
}

function reconcileHold(draft: Draft, key: ClaimKey, claim: Held, {issue, standing}: Reading): void {
  if (isUnreadable(claim)) {
    // The content of its workspace is unknown, so it is kept.
    if (standing === 'terminal') release(draft, key);
    return;
  }
  if (standing === 'workable' && sameState(claim.issue.state, claim.stateThen)) return;
  // The agent or a person moved the issue: its work is still undelivered.
  if (standing === 'inactive' && claim.undelivered !== null) return;
  releaseHold(draft, key, claim, standing, issue);
  if (standing === 'terminal') confirmThenClean(draft, key, claim);
}

function reconcileDismissed(
  draft: Draft,
  key: ClaimKey,
  claim: Dismissed,
  {before, issue, standing}: Reading,
): void {
  if (standing !== 'terminal' && staysDismissed(draft, key, claim, before, issue)) return;
  releaseHold(draft, key, claim, standing, issue);
  if (standing === 'terminal') confirmThenClean(draft, key, claim);
}

function reconcileRun(draft: Draft, key: ClaimKey, claim: Running, standing: Standing): void {
  // Before launch its own read decides; after its own move it may finish its turn first.
  if (standing === 'workable' || !hasRunner(claim) || isOwnMove(claim)) return;
  const next: Next = standing === 'terminal' ? {do: 'clean'} : {do: 'release', by: 'tracker'};
  stopRun(draft, key, claim, 'canceled_by_reconciliation', next);
}

/** While a tool call is pending, the move may be its effect; the next tick will show. */
function isOwnMove({run, issue}: Running): boolean {
  return run.callsUnderWay > 0 || (run.movedTo !== null && sameState(run.movedTo, issue.state));
}
