import type {Failure, Issue} from '@symphony-supervisor/protocol';
import {type Claim, type ClaimKey, claimKey} from './claim.ts';
import {fillSlots} from './dispatch.ts';
import type {Draft} from './draft.ts';
import {clearTimers, release} from './release.ts';
import type {Project} from './state.ts';

/**
 * The issue is over: its workspaces go one after the other (there are several if the root was changed),
 * and then the claim. Nobody runs there any more, so no slot is kept.
 */
export function startCleaning(draft: Draft, key: ClaimKey, claim: Claim): void {
  clearTimers(draft, key);
  const [path] = draft.workspaces(key);
  if (path === undefined) return release(draft, key);
  const {project, scope, issue, failures, threadFailures, thread} = claim;
  draft.put(key, {
    is: 'stopping',
    ...{project, scope, issue, failures, threadFailures, thread, workspacePath: path},
    run: null,
    outcome: null,
    reason: null,
    next: {do: 'clean'},
    step: 'cleaning',
  });
  draft.order({do: 'clean-workspace', key, path});
}

/** A workspace whose issue was finished while nobody held it. */
export function cleanUnclaimed(draft: Draft, project: Project, issue: Issue): void {
  const none = {failures: 0, threadFailures: 0, thread: null, workspacePath: null};
  const claim = {
    is: 'stopping',
    project: project.name,
    scope: project.scope,
    issue,
    ...none,
  } as const;
  const idle = {
    run: null,
    outcome: null,
    reason: null,
    next: {do: 'clean'},
    step: 'cleaning',
  } as const;
  startCleaning(draft, claimKey(project.name, issue.id), {...claim, ...idle});
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
