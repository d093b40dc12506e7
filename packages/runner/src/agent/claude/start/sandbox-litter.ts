import {join} from 'node:path';
import type {Environment} from '../../../job/environment.ts';
import {orNull, readRegularText, writeFile} from '../../../processes/files.ts';

const COVERED = [
  ...['.bashrc', '.bash_profile', '.profile', '.zshrc', '.zprofile', '.ripgreprc'],
  ...['.gitconfig', '.gitmodules', '.mcp.json', '.idea', '.vscode', '.claude'],
];
const COVERED_IN_CLAUDE = [
  ...['agents', 'commands', 'hooks', 'output-styles', 'routines', 'skills', 'workflows', 'loop.md'],
  ...['launch.json', 'scheduled_tasks.json', 'settings.json', 'settings.local.json', '.cc-writes'],
];

/** Its sandbox covers what stands under these names in the workspace, and leaves empty files there when it is killed. */
export const SANDBOX_LITTER = [...COVERED_IN_CLAUDE.map((name) => `.claude/${name}`), ...COVERED];

/** More than anyone lists; the file is read again for each run. */
const MOST_BYTES = 64 * 1024;

/**
 * A device stands where the sandbox covers a file, and `git add -A` fails by it. So for git these names are ignored,
 * unless they are tracked. The list replaces the user's own, which is therefore a part of it.
 */
export async function hiddenFromGit(env: Environment): Promise<Environment> {
  if (env.TMPDIR === undefined) return {};
  const configHome = env.XDG_CONFIG_HOME ?? join(env.HOME ?? '/', '.config');
  const own = await orNull(readRegularText(join(configHome, 'git', 'ignore'), MOST_BYTES));
  const path = join(env.TMPDIR, 'git-ignore');
  const names = COVERED.map((name) => `/${name}`);
  await writeFile(path, `${[own ?? '', ...names].join('\n')}\n`);
  const at = Number(env.GIT_CONFIG_COUNT ?? 0);
  return {
    GIT_CONFIG_COUNT: String(at + 1),
    [`GIT_CONFIG_KEY_${at}`]: 'core.excludesFile',
    [`GIT_CONFIG_VALUE_${at}`]: path,
  };
}
