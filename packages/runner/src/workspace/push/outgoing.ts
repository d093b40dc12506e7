import type {BorrowedRepository} from './borrowed-repository.ts';
import type {PrivateFolder} from './private-folder.ts';
import {BY_HOOK, Refusal} from './refusal.ts';

/** A pointer file of Git LFS has some 130 bytes, and by its specification fewer than 1024. */
const LARGEST_POINTER = 1024;
const SMALLEST_POINTER = 100;
const POINTER = 'version https://git-lfs.github.com/spec/v1\n';
/** How many objects a message names. */
const MOST_NAMED = 3;

/** How many commits HEAD has that none of the given ones has. Commits that are not here count as none. */
export async function commitsBeyond(
  {folder, head}: BorrowedRepository,
  known: readonly string[],
): Promise<number> {
  const counted = await folder.ask(
    ['rev-list', '--count', '--ignore-missing', '--stdin'],
    revisions(head, known),
  );
  return Number(counted.toString());
}

/** Throws a `Refusal` if the remote would get a commit without its content. */
export async function assertComplete(
  {folder, head, distrusted}: BorrowedRepository,
  known: readonly string[],
): Promise<void> {
  const listed = await folder.ask(
    [
      ...['rev-list', '--objects', '--no-object-names', '--missing=print', '--ignore-missing'],
      '--stdin',
    ],
    revisions(head, known),
  );
  const names = listed.toString('latin1').split('\n').filter(Boolean);
  const missing = names.filter((name) => name.startsWith('?')).map((name) => name.slice(1));
  if (missing.length > 0) {
    const borrowing =
      distrusted.length === 0
        ? ''
        : `. The repository borrows objects from ${distrusted.join(', ')}, which it did not do at its creation`;
    throw new Refusal(
      'missing_objects',
      `git objects to be pushed are missing: ${some(missing)}${borrowing}. ${BY_HOOK}`,
    );
  }
  const pointers = await pointersAmong(folder, names);
  if (pointers.length > 0) {
    throw new Refusal(
      'lfs_objects',
      `the commits contain files of Git LFS (${some(pointers)}), whose content git does not push. ${BY_HOOK}`,
    );
  }
}

async function pointersAmong(folder: PrivateFolder, names: readonly string[]): Promise<string[]> {
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)';
  const checked = await folder.ask(['cat-file', format], `${names.join('\n')}\n`);
  const candidates = checked
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [name = '', type, size] = line.split(' ');
      const bytes = Number(size);
      const isCandidate = type === 'blob' && bytes >= SMALLEST_POINTER && bytes < LARGEST_POINTER;
      return isCandidate ? [{name, bytes}] : [];
    });
  if (candidates.length === 0) return [];
  const input = candidates.map(({name}) => `${name}\n`).join('');
  const contents = await folder.ask(['cat-file', '--batch=%(objectname)'], input);
  let at = 0;
  return candidates.flatMap(({name, bytes}) => {
    // A line with the name, the content, a line break.
    const begin = at + name.length + 1;
    at = begin + bytes + 1;
    return contents.toString('latin1', begin, begin + POINTER.length) === POINTER ? [name] : [];
  });
}

function revisions(head: string, known: readonly string[]): string {
  return [head, ...known.map((sha) => `^${sha}`), ''].join('\n');
}

function some(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
