import type {Made} from '@symphony-supervisor/protocol';
import type {Environment} from '../job/environment.ts';
import {findGit} from './git/git-places.ts';
import {readRefs} from './git/git-refs.ts';
import {PrivateGit} from './git/private-git.ts';
import type {Layout} from './layout.ts';
import {Pace} from './pace.ts';

/** HEAD before a run. */
export interface Base {
  readonly head: string | null;
}

/** null: there is no repository, or it cannot be read. */
export async function baseOf(layout: Layout): Promise<Base | null> {
  try {
    const {gitDir, commonDir} = await findGit(layout);
    if (gitDir === null || commonDir === null) return null;
    return {head: (await readRefs(gitDir, commonDir)).head};
  } catch {
    return null;
  }
}

const LIMIT_MS = 20_000;
const DIFF = ['diff', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
/** The tree that git compares with if there is no commit. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Changes since `base`. For display only, so any error makes it unknown. */
export async function madeSince(
  base: Base | null,
  layout: Layout,
  scratch: string,
  env: Environment,
): Promise<Made | null> {
  try {
    using pace = new Pace(LIMIT_MS);
    const places = await findGit(layout);
    await using git = await PrivateGit.open(layout.path, places, scratch, env, pace);
    if (git === null) return null;
    const {head, branch} = git.refs;
    const from = base?.head ?? null;
    const commits = head === null || head === from ? 0 : await countCommits(git, head, from);
    const listed = await git.ask([...DIFF, '--ignore-submodules=dirty', from ?? EMPTY_TREE]);
    return {branch, head, commits, ...linesOf(listed.toString('utf8'))};
  } catch {
    return null;
  }
}

async function countCommits(git: PrivateGit, head: string, from: string | null): Promise<number> {
  const range = [head, ...(from === null ? [] : [`^${from}`])].join('\n');
  const counted = await git.ask(['rev-list', '--count', '--ignore-missing', '--stdin'], range);
  return Number(counted.toString());
}

/** An entry is `added TAB removed TAB name`; binary files have dashes. */
function linesOf(listed: string): Pick<Made, 'files' | 'lines_added' | 'lines_removed'> {
  const entries = listed.split('\0').filter((entry) => entry !== '');
  const sum = (column: number): number =>
    entries.reduce((total, entry) => total + (Number(entry.split('\t')[column]) || 0), 0);
  return {files: entries.length, lines_added: sum(0), lines_removed: sum(1)};
}
