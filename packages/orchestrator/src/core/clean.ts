import type {Failure, Issue} from '@symphony-supervisor/protocol';
import {type ClaimKey, type Common, claimKey, commonOf} from './claim.ts';
import {fillSlots} from './dispatch.ts';
import type {Draft} from './draft.ts';
import {standingOf} from './eligibility.ts';
import type {IssueRead} from './event.ts';
import {clearTimers, release} from './release.ts';
import type {Project} from './state.ts';

/**
 * A read said that the issue is over, but it may have been slow, and a person may have reopened the issue
 * since. It is read once more before anything is deleted. Nobody runs there any more, so no slot is kept.
 */
export function confirmThenClean(draft: Draft, key: ClaimKey, claim: Common): void {
  clearTimers(draft, key);
  if (nextToClean(draft, key) === null) return release(draft, key);
  draft.put(key, {is: 'stopping', ...commonOf(claim), ...TO_CLEAN, step: 'confirming'});
  // While it shuts down nobody waits for a tracker: the next start asks again.
  if (draft.state.isShuttingDown) return;
  draft.order({do: 'read-issue', key, runId: null, issue: claim.issue});
}

/** Without an answer nothing is deleted: the workspace stays on record, and the sweep tries again. */
export function onReadBeforeCleaning(draft: Draft, {key, answer, askedAt}: IssueRead): void {
  const claim = draft.claims.get(key);
  if (claim?.is !== 'stopping' || claim.step !== 'confirming') return;
  // A newer read has overtaken this one: it is asked again.
  if (askedAt < claim.readAt) return confirmThenClean(draft, key, claim);
  const {tracker} = draft.projectOf(claim).workflow.settings;
  const issue = answer.ok ? answer.value : null;
  if (standingOf(issue, tracker) === 'terminal')
    startCleaning(draft, key, {...claim, readAt: askedAt});
  else release(draft, key);
  fillSlots(draft);
}

const TO_CLEAN = {run: null, outcome: null, reason: null, next: {do: 'clean'}} as const;

/**
 * The issue is over: its workspaces go one after the other (there are several if the root was changed),
 * and then the claim.
 */
export function startCleaning(draft: Draft, key: ClaimKey, claim: Common): void {
  clearTimers(draft, key);
  const path = nextToClean(draft, key);
  if (path === null) return release(draft, key);
  const common = {...commonOf(claim), workspacePath: path};
  draft.put(key, {is: 'stopping', ...common, ...TO_CLEAN, step: 'cleaning'});
  draft.order({do: 'clean-workspace', key, path});
}

/** null: nothing is to be deleted. What the run of an unreadable claim left stays until a new run begins there. */
function nextToClean(draft: Draft, key: ClaimKey): string | null {
  return draft.state.unreadable.has(key) ? null : (draft.workspaces(key)[0] ?? null);
}

/** A workspace whose issue was finished while nobody held it. */
export function cleanUnclaimed(draft: Draft, project: Project, issue: Issue, readAt: number): void {
  confirmThenClean(draft, claimKey(project.name, issue.id), {
    ...{project: project.name, scope: project.scope, issue, readAt},
    ...{failures: 0, threadFailures: 0, thread: null, workspacePath: null, messages: []},
  });
}

/** What could not be deleted stays on record, and the sweep tries it again; the issue itself is over. */
export function onCleaned(
  draft: Draft,
  key: ClaimKey,
  path: string,
  failure: Failure | null,
): void {
  const claim = draft.claims.get(key);
  if (claim?.is !== 'stopping' || claim.step !== 'cleaning') return;
  const others = draft.workspaces(key).filter((other) => other !== path);
  if (failure === null) {
    draft.writeWorkspaces(key, others);
    startCleaning(draft, key, claim);
  } else {
    const reason = failure.message;
    draft.order({do: 'log', level: 'warn', event: 'workspace.not_cleaned', key, reason});
    // At the end of the list, so that one which never goes does not keep the others.
    draft.writeWorkspaces(key, [...others, path]);
    release(draft, key);
  }
  fillSlots(draft);
}
