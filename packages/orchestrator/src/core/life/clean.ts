import {type Issue, profileOf} from '@symphony-supervisor/protocol';
import {
  type ClaimKey,
  type Common,
  claimKey,
  commonOf,
  isSameWorkspace,
  newCommon,
  type Workspace,
} from '../claim.ts';
import {standingOf} from '../dispatch/eligibility.ts';
import type {Draft} from '../draft.ts';
import type {Event, IssueRead} from '../event.ts';
import {clearTimers, release} from '../run/release.ts';
import type {Project} from '../state.ts';
import {discarded, forgetKept, keep} from './kept.ts';

/**
 * A read showed the issue as terminal, but it may have been slow, and a person may have reopened the issue
 * since. It is read once more before anything is deleted. There is no run any more, so it takes no slot.
 */
export function confirmThenClean(draft: Draft, key: ClaimKey, claim: Common): void {
  clearTimers(draft, key);
  if (nextToClean(draft, key) === null) return release(draft, key);
  draft.put(key, {is: 'stopping', ...commonOf(claim), ...TO_CLEAN, step: 'confirming'});
  // A shutdown does not wait for a tracker: the next start reads again.
  if (draft.state.isShuttingDown) return;
  draft.order({do: 'read-issue', key, runId: null, issue: claim.issue});
}

/** Without an answer nothing is deleted: the workspace stays on record, and the sweep tries again. */
export function onReadBeforeCleaning(draft: Draft, {key, answer, askedAt}: IssueRead): void {
  const claim = draft.claims.get(key);
  if (claim?.is !== 'stopping' || claim.step !== 'confirming') return;
  // A newer read has replaced this one: the issue is read again.
  if (askedAt < claim.readAt) return confirmThenClean(draft, key, claim);
  const {tracker} = draft.projectOf(claim).workflow.settings;
  const issue = answer.ok ? answer.value : null;
  if (standingOf(issue, tracker) === 'terminal')
    startCleaning(draft, key, {...claim, readAt: askedAt});
  else release(draft, key, answer.ok ? answer.value : undefined);
  draft.refill();
}

const TO_CLEAN = {run: null, outcome: null, reason: null, next: {do: 'clean'}} as const;

/**
 * The issue is terminal: its workspaces are removed one by one (there are several if the root was changed),
 * then the claim.
 */
export function startCleaning(draft: Draft, key: ClaimKey, claim: Common): void {
  clearTimers(draft, key);
  const [toDiscard] = discarded(draft, key);
  const next = toDiscard ?? nextToClean(draft, key);
  if (next === null) return release(draft, key);
  const {host, path} = next;
  const common = {...commonOf(claim), workspace: {host, path}};
  draft.put(key, {is: 'stopping', ...common, ...TO_CLEAN, step: 'cleaning'});
  const {keepUnpushed} = draft.projectOf(claim).workflow.settings.workspace;
  const keepWork = keepUnpushed && toDiscard === undefined;
  draft.order({do: 'clean-workspace', key, host, path, keepWork});
}

/** An operator's order: kept workspaces are removed, whatever they hold and whatever the state of the issue. */
export function discardKept(draft: Draft, project: Project, key: ClaimKey): void {
  const kept = draft.kept(key).map((one) => ({...one, isDiscarded: true}));
  draft.writeKept(key, kept);
  for (const {issue} of kept.slice(0, 1)) startCleaning(draft, key, unclaimed(project, issue, 0));
}

/** null: nothing is to be deleted. The workspace of an unreadable claim stays until a new run begins there. */
function nextToClean(draft: Draft, key: ClaimKey): Workspace | null {
  return draft.state.unreadable.has(key) ? null : (draft.workspaces(key)[0] ?? null);
}

/** A workspace whose issue was finished while it had no claim. */
export function cleanUnclaimed(draft: Draft, project: Project, issue: Issue, readAt: number): void {
  confirmThenClean(draft, claimKey(project.name, issue.id), unclaimed(project, issue, readAt));
}

/** What is known of an issue that has no claim. */
export function unclaimed({name, scope, workflow}: Project, issue: Issue, readAt: number): Common {
  return newCommon(name, scope, issue, readAt, profileOf(workflow, issue).role);
}

/** Kept or undeletable workspaces stay on record, and the sweep tries again; the issue itself is finished. */
export function onCleaned(
  draft: Draft,
  {key, host, path, outcome}: Extract<Event, {type: 'workspace.cleaned'}>,
): void {
  const claim = draft.claims.get(key);
  if (claim?.is !== 'stopping' || claim.step !== 'cleaning') return;
  const workspace = {host, path};
  const others = draft.workspaces(key).filter((other) => !isSameWorkspace(other, workspace));
  if (outcome.is === 'removed') {
    draft.writeWorkspaces(key, others);
    const wasOrdered = discarded(draft, key).length > 0;
    forgetKept(draft, key, workspace);
    // The order is for the kept workspace: another workspace of the issue may be in use.
    if (wasOrdered && discarded(draft, key).length === 0) release(draft, key);
    else startCleaning(draft, key, claim);
  } else {
    if (outcome.is === 'kept') keep(draft, key, claim, workspace, outcome.reason);
    else {
      const reason = outcome.failure.message;
      draft.order({do: 'log', level: 'warn', event: 'workspace.not_cleaned', key, reason});
    }
    // At the end of the list, so that a workspace that cannot be removed does not block the others.
    draft.writeWorkspaces(key, [...others, workspace]);
    release(draft, key);
  }
  draft.refill();
}
