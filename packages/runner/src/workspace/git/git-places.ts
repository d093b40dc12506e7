import {join, resolve} from 'node:path';
import {RunFailure} from '@symphony-supervisor/protocol';
import {lstat, orNull, readRegularText, realpath, stat} from '../../processes/files.ts';
import type {Layout} from '../layout.ts';
import {readRecord, writeRecord} from '../record.ts';

export interface GitPlaces {
  readonly writable: readonly string[];
  /** Where HEAD and the index are, if there is a repository. */
  readonly gitDir: string | null;
  /** Where objects and refs are: elsewhere in case of a worktree. */
  readonly commonDir: string | null;
}

/**
 * The folders that git must write to for a commit, and that a sandbox protects by default. A `.git` file leads
 * out of the workspace, so it is followed once, before the first agent runs here, and the result is kept where
 * no agent can change it.
 */
export async function findGit(layout: Layout): Promise<GitPlaces> {
  const git = join(layout.path, '.git');
  const entry = await orNull(lstat(git));
  if (entry?.isSymbolicLink()) {
    throw new RunFailure(
      'invalid_workspace_cwd',
      `${git} is a symbolic link, and a sandbox would make its target writable. ` +
        'Replace it with the repository or a worktree, then retry the issue',
    );
  }
  const record = await readRecord(layout);
  let outside = record?.git_dirs ?? null;
  if (outside === null) {
    outside = entry?.isFile() ? await followGitFile(layout.path, git) : [];
    if (record !== null) await writeRecord(layout, {...record, git_dirs: outside});
  }
  if (entry?.isFile()) {
    return {writable: outside, gitDir: outside.at(-1) ?? null, commonDir: outside[0] ?? null};
  }
  // Included even if it does not exist yet, or an agent could not create a repository.
  const gitDir = entry?.isDirectory() ? git : null;
  return {writable: [git], gitDir, commonDir: gitDir};
}

/** A worktree's own folder, and the repository's common one that holds objects and refs. */
async function followGitFile(workspace: string, git: string): Promise<string[]> {
  const target = /^gitdir: (.+)$/m.exec(await readRegularText(git))?.[1];
  if (target === undefined) return [];
  const own = await folder(resolve(workspace, target));
  if (own === null) return [];
  const common = await orNull(readRegularText(join(own, 'commondir')));
  const shared = common === null ? null : await folder(resolve(own, common.trim()));
  return shared === null ? [own] : [shared, own];
}

async function folder(path: string): Promise<string | null> {
  const real = await orNull(realpath(path));
  return real !== null && (await stat(real)).isDirectory() ? real : null;
}
