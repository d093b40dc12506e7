import {isBranchName} from '@symphony-supervisor/protocol';
import {type GitAnswer, isSuccess} from '../git/git-answer.ts';
import type {Remote} from './access.ts';
import {BorrowedRepository, type Repository} from './borrowed-repository.ts';
import {orRefused} from './outcome.ts';
import {assertComplete, commitsBeyond} from './outgoing.ts';
import type {PrivateFolder, Tools} from './private-folder.ts';
import {kindOf, Refusal, type Refused} from './refusal.ts';
import {branchesOf} from './what-remote-has.ts';

export interface PushOrder {
  /** Ours, without `refs/heads/`. It may be rewritten. */
  readonly branch: string;
  /** Where the branch is by our record; null: it must not exist. */
  readonly expected: string | null;
  readonly base: {
    readonly branch: string;
    /** The start commit on record; null if there is none. */
    readonly commit: string | null;
  };
}

export type PushOutcome =
  | {readonly is: 'pushed'; readonly head: string}
  /** The remote had HEAD before: by an earlier push whose answer was lost, for example. */
  | {readonly is: 'up_to_date'; readonly head: string}
  /** HEAD has no commit that the base does not have. */
  | {readonly is: 'nothing_to_push'; readonly head: string}
  | Refused;

/**
 * Pushes HEAD of a workspace to our own branch. To be called after all processes of the agent have ended. Idempotent:
 * whatever happened before, the remote is asked first.
 */
export async function pushHead(
  repository: Repository,
  remote: Remote,
  order: PushOrder,
  tools: Tools,
): Promise<PushOutcome> {
  return orRefused(async () => {
    assertOwnBranch(order);
    await using borrowed = await BorrowedRepository.open(repository, remote, tools);
    const {folder, head} = borrowed;
    const branches = await branchesOf(folder, remote);
    const current = branches.get(order.branch) ?? null;
    if (current === head) return {is: 'up_to_date', head};
    const bases = [branches.get(order.base.branch), order.base.commit ?? undefined].filter(
      (sha) => sha !== undefined,
    );
    if ((await commitsBeyond(borrowed, bases)) === 0) return {is: 'nothing_to_push', head};
    if (current !== order.expected) throw moved(order, current);
    await assertComplete(borrowed, [...new Set(branches.values())]);
    return await push(borrowed, remote, order);
  });
}

async function push(
  {folder, head}: BorrowedRepository,
  remote: Remote,
  {branch, expected}: PushOrder,
): Promise<PushOutcome> {
  const ref = `refs/heads/${branch}`;
  const answer = await folder.talk(
    [
      ...['push', '--porcelain', '--no-progress', '--no-verify', '--no-recurse-submodules'],
      ...['--no-signed', '--no-follow-tags', '--no-force-if-includes'],
      `--force-with-lease=${ref}:${expected ?? ''}`,
      ...['--', remote.url, `${head}:${ref}`],
    ],
    'transferMs',
  );
  if (isSuccess(answer)) return {is: 'pushed', head};
  // The connection may have broken after the remote had taken the commit. git then repeats the request by itself, and
  // the remote rejects it.
  const branches = await branchesOf(folder, remote).catch(() => null);
  if (branches?.get(branch) === head) return {is: 'pushed', head};
  const rejection = rejectionIn(answer);
  throw rejection === null ? folder.refusalOf(answer) : rejected(folder, answer, rejection);
}

/** The line of the ref in git's porcelain format: flag, refs and summary, divided by tabs. */
function rejectionIn({stdout}: GitAnswer): string | null {
  const lines = stdout.toString('utf8').split('\n');
  return lines.find((line) => line.startsWith('!\t'))?.split('\t')[2] ?? null;
}

function rejected(folder: PrivateFolder, answer: GitAnswer, rejection: string): Refusal {
  // What the server's hook said tells a protected branch from another reason.
  const kind = kindOf(rejection);
  const byServer = kind === 'hook_declined' || kind === 'remote_rejected';
  const isProtected = byServer && kindOf(answer.said) === 'protected_branch';
  const {message} = folder.refusalOf(answer);
  return new Refusal(
    isProtected ? 'protected_branch' : kind,
    `${folder.readable(rejection)}: ${message}`,
  );
}

function moved({branch, expected}: PushOrder, current: string | null): Refusal {
  const at = (sha: string | null): string => (sha === null ? 'absent' : `at ${sha}`);
  return new Refusal(
    'branch_moved',
    `branch ${branch} is ${at(current)} on the remote, but was expected to be ${at(expected)}`,
  );
}

/** A push with a lease overwrites, so it is for a branch of our own only. */
function assertOwnBranch({branch, base}: PushOrder): void {
  if (!isBranchName(branch)) {
    throw new Refusal('not_allowed', `"${branch}" is not a valid name of a branch`);
  }
  if (branch === base.branch) {
    throw new Refusal('not_allowed', `${branch} is the base branch, which is never pushed to`);
  }
}
