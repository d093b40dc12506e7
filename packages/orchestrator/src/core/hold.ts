import {type Claim, type ClaimKey, EMPTY_BOOK, type HoldReason} from './claim.ts';
import type {Draft} from './draft.ts';
import {clearTimers, release} from './release.ts';

/** The issue waits for a person. */
export function hold(
  draft: Draft,
  key: ClaimKey,
  claim: Claim,
  because: HoldReason,
  question: string | null,
  lastError: string | null = null,
): void {
  const {project, scope, issue, failures, threadFailures, thread, workspacePath} = claim;
  const message =
    lastError === null ? because.message : `${because.message}; the last: ${lastError}`;
  clearTimers(draft, key);
  draft.put(key, {
    is: 'held',
    ...{project, scope, issue, failures, threadFailures, thread, workspacePath},
    because: {code: because.code, message},
    question,
    since: draft.at,
    stateThen: issue.state,
  });
}

/** A person has looked: all that was counted against the issue is forgotten. */
export function letGo(draft: Draft, key: ClaimKey): void {
  draft.writeBook(key, EMPTY_BOOK);
  release(draft, key);
}

/** What a good reload may have mended. */
const MENDED_BY_RELOAD: readonly HoldReason['code'][] = [
  ...(['template_parse_error', 'template_render_error'] as const),
  ...(['codex_not_found', 'codex_incompatible', 'invalid_workspace_cwd'] as const),
];

export function isMendedByReload(claim: Extract<Claim, {is: 'held'}>): boolean {
  return MENDED_BY_RELOAD.includes(claim.because.code);
}
