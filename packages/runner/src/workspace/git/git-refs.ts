import {join} from 'node:path';
import {entriesOf, lstat, orNull, readRegularText} from '../../processes/files.ts';

/** The refs of a workspace's repository. */
export interface Refs {
  /** null: no commit yet. */
  readonly head: string | null;
  /** null: HEAD is detached. */
  readonly branch: string | null;
  /**
   * Every commit that may hold work: HEAD, and in a repository of its own all local branches and stashes.
   * Those of a worktree belong to the repository that it was created from, and outlive it.
   */
  readonly tips: readonly string[];
}

/** More refs than a person would check, and each costs a read. */
const MOST_REFS = 10_000;
const LARGEST_FILE_BYTES = 16 * 1024 * 1024;
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Reads refs as files: git would also read the configuration beside them. Throws if they cannot be read. */
export async function readRefs(gitDir: string, commonDir: string): Promise<Refs> {
  if ((await orNull(lstat(join(commonDir, 'reftable')))) !== null) {
    throw new Error('its refs are in a reftable, which is not supported');
  }
  const isOwn = gitDir === commonDir;
  const named = await namedRefs(gitDir, commonDir);
  const said = (await readSmall(join(gitDir, 'HEAD')))?.trim() ?? '';
  const name = /^ref: (refs\/heads\/.+)$/.exec(said)?.[1] ?? null;
  const head = name === null ? (SHA.test(said) ? said : null) : (named.get(name) ?? null);
  const own = isOwn ? [...named.values(), ...(await olderStashes(gitDir))] : [];
  const tips = [...new Set([...(head === null ? [] : [head]), ...own])];
  return {head, branch: name?.slice('refs/heads/'.length) ?? null, tips};
}

/** Local branches and the newest stash; a loose ref is newer than a packed one. */
async function namedRefs(gitDir: string, commonDir: string): Promise<Map<string, string>> {
  const refs = new Map<string, string>();
  const packed = (await readSmall(join(commonDir, 'packed-refs'))) ?? '';
  for (const line of packed.split('\n')) {
    const [sha = '', name = ''] = line.split(' ');
    if (SHA.test(sha) && (name.startsWith('refs/heads/') || name === 'refs/stash')) {
      refs.set(name, sha);
    }
  }
  await addLoose(refs, join(commonDir, 'refs', 'heads'), 'refs/heads');
  const stash = (await readSmall(join(gitDir, 'refs', 'stash')))?.trim() ?? '';
  if (SHA.test(stash)) refs.set('refs/stash', stash);
  return refs;
}

async function addLoose(refs: Map<string, string>, folder: string, below: string): Promise<void> {
  for (const entry of (await orNull(entriesOf(folder))) ?? []) {
    if (refs.size > MOST_REFS) throw new Error(`it has more than ${MOST_REFS} refs`);
    const [path, name] = [join(folder, entry.name), `${below}/${entry.name}`];
    if (entry.isDirectory()) await addLoose(refs, path, name);
    else {
      const sha = (await readSmall(path))?.trim() ?? '';
      if (SHA.test(sha)) refs.set(name, sha);
    }
  }
}

/** The reflog of the stash holds all of them; each line begins with the old and the new commit. */
async function olderStashes(gitDir: string): Promise<string[]> {
  const log = (await readSmall(join(gitDir, 'logs', 'refs', 'stash'))) ?? '';
  return log.split('\n').flatMap((line) => {
    const sha = line.split(' ')[1] ?? '';
    return SHA.test(sha) ? [sha] : [];
  });
}

/** null: there is none. Anything but a regular file of ordinary size is refused: an agent can put it there. */
async function readSmall(path: string): Promise<string | null> {
  if ((await orNull(lstat(path))) === null) return null;
  return readRegularText(path, LARGEST_FILE_BYTES);
}
