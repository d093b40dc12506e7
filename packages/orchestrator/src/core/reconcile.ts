import {type Issue, sameState} from '@symphony-supervisor/protocol';
import type {Claim, ClaimKey, Running} from './claim.ts';
import {startCleaning} from './clean.ts';
import type {Draft} from './draft.ts';
import {type Standing, standingOf} from './eligibility.ts';
import {letGo} from './hold.ts';
import {release} from './release.ts';
import {hasRunner, stopRun} from './stop.ts';

/** One read of all that a project has claimed. Issues that it did not ask about are left alone. */
export function reconcile(
  draft: Draft,
  projectName: string,
  scope: number,
  asked: readonly string[],
  found: readonly Issue[],
): void {
  const {tracker} = draft.loaded(projectName).workflow.settings;
  const byId = new Map(found.map((issue) => [issue.id, issue]));
  const wanted = new Set(asked);
  for (const [key, claim] of [...draft.claims]) {
    if (claim.project !== projectName || claim.scope !== scope) continue;
    if (!wanted.has(claim.issue.id)) continue;
    const issue = byId.get(claim.issue.id) ?? null;
    reconcileOne(draft, key, claim, issue, standingOf(issue, tracker));
  }
}

function reconcileOne(
  draft: Draft,
  key: ClaimKey,
  claim: Claim,
  issue: Issue | null,
  standing: Standing,
): void {
  const current: Claim = issue === null ? claim : {...claim, issue};
  draft.put(key, current);
  switch (current.is) {
    case 'running':
      return reconcileRun(draft, key, current, standing);
    case 'stopping':
      return; // the read that follows its end decides
    case 'retrying':
      if (standing === 'terminal') startCleaning(draft, key, current);
      else if (standing === 'inactive') release(draft, key);
      return;
    case 'held':
      if (standing === 'workable' && sameState(current.issue.state, current.stateThen)) return;
      letGo(draft, key);
      if (standing === 'terminal') startCleaning(draft, key, current);
      return;
  }
}

function reconcileRun(draft: Draft, key: ClaimKey, claim: Running, standing: Standing): void {
  // Before launch its own read decides; its own move may end its turn first.
  if (standing === 'workable' || !hasRunner(claim) || isOwnMove(claim)) return;
  const next = standing === 'terminal' ? 'clean' : 'release';
  stopRun(draft, key, claim, 'canceled_by_reconciliation', {do: next});
}

/** While a tool call is under way the move may be its doing; the next tick will know. */
function isOwnMove({run, issue}: Running): boolean {
  return run.callsUnderWay > 0 || (run.movedTo !== null && sameState(run.movedTo, issue.state));
}
