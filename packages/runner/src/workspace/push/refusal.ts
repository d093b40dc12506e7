import type {Failure} from '@symphony-supervisor/protocol';

/** Why nothing was pushed or fetched, so that the caller can decide what follows. */
export type RefusalKind =
  /** The branch on the remote is not at the expected commit. */
  | 'branch_moved'
  /** The forge protects the branch, or a rule of the repository forbids the push. */
  | 'protected_branch'
  /** Another hook of the server declined. */
  | 'hook_declined'
  /** The remote rejected the update for another reason, which the message names. */
  | 'remote_rejected'
  | 'credential_refused'
  | 'remote_unreachable'
  | 'repository_not_found'
  /** The base branch does not exist on the remote. */
  | 'base_not_found'
  /** The address or the branch is of a kind that is not pushed to. */
  | 'not_allowed'
  | 'missing_objects'
  | 'lfs_objects'
  /** There is no repository in the workspace, or it has no commit. */
  | 'no_repository'
  /** Something in the repository leads out of it, or cannot be read safely. */
  | 'unsafe_repository'
  | 'timed_out'
  | 'cut_off'
  | 'git_failed';

export interface Refused {
  readonly is: 'refused';
  readonly kind: RefusalKind;
  /** For people; secrets are masked. */
  readonly message: string;
}

/** A refusal on its way up. */
export class Refusal extends Error {
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
  }
}

/** Work that stays undelivered fails the delivery, not the run. */
export function asFailure({message}: Refused): Failure {
  return {code: 'delivery_failed', message};
}

/** What only the owner's own script can deliver. */
export const BY_HOOK = 'Deliver with `hooks.deliver` instead of `pull_request`';

/** First match wins, so the more specific come first. git speaks English because of `LC_ALL=C`. */
const WORDS: readonly (readonly [RegExp, RefusalKind])[] = [
  [/stale info|fetch first|non-fast-forward|remote ref updated|cannot lock ref/, 'branch_moved'],
  [/protected branch|repository rule|GH006|GH013/i, 'protected_branch'],
  [
    /shallow update not allowed|missing necessary objects|unpacker error|did not receive expected object|unable to read (?:sha1|tree|[0-9a-f]{40})|missing (?:blob|tree|commit|object)|bad object|Failed to traverse parents|pack has \d+ unresolved|pack-objects died|Could not read [0-9a-f]{40}/,
    'missing_objects',
  ],
  [/hook declined/, 'hook_declined'],
  [/\[remote rejected\]|\[rejected\]/, 'remote_rejected'],
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied|askpass|terminal prompts disabled|returned error: 40[13]|Access denied|Invalid username or/i,
    'credential_refused',
  ],
  [
    /not found|does not appear to be a git repository|returned error: 404|not a git repository/i,
    'repository_not_found',
  ],
  [
    /unable to access|Could not read from remote|resolve host|connect to|Connection|hung up|early EOF|RPC failed|Host key verification/i,
    'remote_unreachable',
  ],
];

/** The kind of a failure by what git and the remote said. */
export function kindOf(words: string): RefusalKind {
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'git_failed';
}
