import type {Issue} from '@symphony-supervisor/protocol';
import {type ClaimKey, type Common, isSameWorkspace, type Workspace} from '../claim.ts';
import type {Draft} from '../draft.ts';

/** A workspace of a finished issue that is kept, because it holds the only copy of some work. */
export interface Kept extends Workspace {
  /** As it was when the workspace was kept: its claim has been dropped. */
  readonly issue: Issue;
  readonly reason: string;
  readonly since: number;
  /** An operator wants it removed, whatever it holds. */
  readonly isDiscarded: boolean;
}

/** It is inspected repeatedly; only changes are logged. */
export function keep(
  draft: Draft,
  key: ClaimKey,
  claim: Common,
  {host, path}: Workspace,
  reason: string,
): void {
  const former = draft.kept(key).find((kept) => isSameWorkspace(kept, {host, path}));
  const others = draft.kept(key).filter((kept) => kept !== former);
  const since = former?.since ?? draft.at;
  const kept = {issue: claim.issue, host, path, reason, since, isDiscarded: false};
  draft.writeKept(key, [...others, kept]);
  if (former?.reason === reason) return;
  const told = `${path}: ${reason}`;
  draft.order({do: 'log', level: 'warn', event: 'workspace.kept', key, reason: told});
}

/** It was removed, or a run works in it again. */
export function forgetKept(draft: Draft, key: ClaimKey, workspace: Workspace): void {
  const others = draft.kept(key).filter((kept) => !isSameWorkspace(kept, workspace));
  if (others.length < draft.kept(key).length) draft.writeKept(key, others);
}

export function discarded(draft: Draft, key: ClaimKey): readonly Kept[] {
  return draft.kept(key).filter(({isDiscarded}) => isDiscarded);
}
