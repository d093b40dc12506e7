import {execFile} from 'node:child_process';
import {isAbsolute, join, resolve} from 'node:path';
import {promisify} from 'node:util';
import * as z from 'zod/mini';
import type {Environment} from '../job/environment.ts';
import {readRegularText, rename, writeFile} from '../processes/files.ts';
import {changedFiles} from './git/changed-files.ts';
import {fingerprint} from './git/fingerprint.ts';
import {findGit} from './git/git-places.ts';
import {bareEnvironment, PrivateGit} from './git/private-git.ts';
import type {Layout} from './layout.ts';
import {Pace} from './pace.ts';

const text = z.nullable(z.string());

/** The content of a workspace at the end of `after_create`, before any agent. */
const Start = z.object({
  at: z.string(),
  head: text,
  branch: text,
  /** The delivery remote, from the configuration as the hook left it; an agent can change it later. */
  remote: text,
  tips: z.array(z.string()),
  /** Files that were not committed then, with their digests. null: too many to compare. */
  files: z.nullable(z.record(z.string(), z.string())),
  /** Of the whole tree, if there was no repository. */
  tree: text,
  isRepository: z.boolean(),
});
export type Start = z.infer<typeof Start>;

/** With more files than this outside of git at the start, work cannot be distinguished from them. */
const MOST_FILES = 50_000;

const LIMIT_MS = 60_000;

/** Records the start, beside the workspace and out of the agent's reach. */
export async function recordStart(
  layout: Layout,
  scratch: string,
  env: Environment,
): Promise<void> {
  const draft = `${layout.start}.draft`;
  await writeFile(draft, `${JSON.stringify(await startOf(layout, scratch, env))}\n`, 0o600);
  await rename(draft, layout.start);
}

/** null: it was created by a version without such records, or cannot be read. */
export async function readStart(layout: Layout): Promise<Start | null> {
  try {
    return Start.parse(JSON.parse(await readRegularText(layout.start)));
  } catch {
    return null;
  }
}

async function startOf(layout: Layout, scratch: string, env: Environment): Promise<Start> {
  const at = new Date().toISOString();
  const places = await findGit(layout);
  using pace = new Pace(LIMIT_MS);
  await using git = await PrivateGit.open(layout.path, places, scratch, env, pace);
  if (git === null || places.commonDir === null) {
    const look = await fingerprint(layout.path, null, scratch, env);
    const tree = 'digest' in look ? look.digest : null;
    const nothing = {head: null, branch: null, remote: null, tips: [], files: null};
    return {at, ...nothing, tree, isRepository: false};
  }
  const files = await changedFiles(git, layout.path, pace, MOST_FILES);
  const {head, branch, tips} = git.refs;
  return {
    ...{at, head, branch, tips: [...tips], tree: null, isRepository: true},
    remote: await remoteOf(layout.path, places.commonDir, env),
    files: files === null ? null : Object.fromEntries(files),
  };
}

/** `origin`, else the first. Read before an agent ran, by the file alone: nothing is included. */
async function remoteOf(
  workspace: string,
  commonDir: string,
  env: Environment,
): Promise<string | null> {
  const args = ['config', '--file', join(commonDir, 'config'), '-z', '--get-regexp'];
  const listed = await promisify(execFile)('git', [...args, '^remote\\..*\\.url$'], {
    cwd: workspace,
    env: bareEnvironment(env),
  }).catch(() => null); // there is none
  const remotes = (listed?.stdout ?? '').split('\0').flatMap((entry) => {
    const [name, url] = entry.split('\n');
    return name === undefined || url === undefined ? [] : [{name, url}];
  });
  const remote = remotes.find(({name}) => name === 'remote.origin.url') ?? remotes[0];
  return remote === undefined ? null : absolute(workspace, remote.url);
}

/** A path may be relative to the workspace, and git runs in another folder. */
function absolute(workspace: string, url: string): string {
  const isPath = !/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url) && !/^[^/]+:/.test(url);
  return isPath && !isAbsolute(url) ? resolve(workspace, url) : url;
}
