import {join} from 'node:path';
import {mkdir, writeFile} from '../../processes/files.ts';
import {isSuccess} from '../git/git-answer.ts';
import type {Remote} from './access.ts';
import {BorrowedRepository, type Repository} from './borrowed-repository.ts';
import {handOverPacks, refName, writeRef} from './into-workspace.ts';
import {orRefused} from './outcome.ts';
import type {PrivateFolder, Tools} from './private-folder.ts';
import {Refusal, type Refused} from './refusal.ts';
import {branchesOf} from './what-remote-has.ts';

/** A ref of the workspace that was set by us. */
export interface Fetched {
  readonly ref: string;
  readonly commit: string;
}

export interface FetchedBase {
  readonly is: 'fetched';
  readonly base: Fetched;
  /** null: the branch does not exist on the remote. */
  readonly head: Fetched | null;
}

/**
 * Puts the base and our branch, as the remote has them, into the workspace: `refs/symphony/base` and
 * `refs/symphony/head`, or in a worktree `refs/worktree/symphony/...`. An agent can then merge or rebase without
 * network. To be called while no agent works there.
 */
export async function fetchBase(
  repository: Repository,
  remote: Remote,
  names: {readonly base: string; readonly branch: string},
  tools: Tools,
): Promise<FetchedBase | Refused> {
  return orRefused(async () => {
    await using borrowed = await BorrowedRepository.open(repository, remote, tools);
    const branches = await branchesOf(borrowed.folder, remote);
    if (!branches.has(names.base)) {
      throw new Refusal('base_not_found', `the remote has no branch ${names.base}`);
    }
    const wanted = branches.has(names.branch) ? names : {base: names.base};
    const {base, head} = await fetchInto(borrowed, remote, wanted);
    await handOverPacks(borrowed);
    await writeRef(borrowed, 'base', base);
    await writeRef(borrowed, 'head', head);
    return {
      is: 'fetched',
      base: {ref: refName(borrowed, 'base'), commit: base},
      head: head === null ? null : {ref: refName(borrowed, 'head'), commit: head},
    };
  });
}

/** Returns the commits that were fetched: a branch may have moved since the remote listed it. */
async function fetchInto(
  {folder, head}: BorrowedRepository,
  {url}: Remote,
  names: {readonly base: string; readonly branch?: string},
): Promise<{readonly base: string; readonly head: string | null}> {
  // Tells the remote what need not be sent.
  await mkdir(join(folder.dir, 'refs/known'));
  await writeFile(join(folder.dir, 'refs/known/head'), `${head}\n`);
  const answer = await folder.talk(
    [
      ...['fetch', '--no-progress', '--no-tags', '--no-recurse-submodules', '--refmap='],
      ...['--no-write-fetch-head', '--no-auto-maintenance', '--', url],
      `+refs/heads/${names.base}:refs/fetched/base`,
      ...(names.branch === undefined ? [] : [`+refs/heads/${names.branch}:refs/fetched/head`]),
    ],
    'transferMs',
  );
  if (!isSuccess(answer)) throw folder.refusalOf(answer);
  const fetched = await commitOf(folder, 'base');
  if (fetched === null) throw new Refusal('git_failed', 'git fetched nothing');
  return {base: fetched, head: await commitOf(folder, 'head')};
}

async function commitOf(folder: PrivateFolder, name: 'base' | 'head'): Promise<string | null> {
  const format = '--format=%(objectname)';
  const listed = await folder.ask(['for-each-ref', format, `refs/fetched/${name}`]);
  return listed.toString('latin1').trim() || null;
}
