import {join} from 'node:path';
import type {Pace} from '../pace.ts';
import {digestOf} from './fingerprint.ts';
import type {PrivateGit} from './private-git.ts';

/** `--no-renames`: an entry is then one name. Submodules are compared by their commit, never entered. */
const STATUS = [
  ...['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'],
  '--ignore-submodules=dirty',
];
/** Two letters and a blank come before the name. */
const NAME_AT = 3;

/** Every file that differs from HEAD and is not ignored, with its digest. null: more than `most`. */
export async function changedFiles(
  git: PrivateGit,
  workspace: string,
  pace: Pace,
  most = Number.POSITIVE_INFINITY,
): Promise<Map<string, string> | null> {
  const listed = (await git.ask(STATUS)).toString('utf8').split('\0');
  const names = listed.filter((entry) => entry !== '').map((entry) => entry.slice(NAME_AT));
  if (names.length > most) return null;
  const files = new Map<string, string>();
  for (const name of names) files.set(name, await digestOf(join(workspace, name), pace));
  return files;
}
