import {isDeepStrictEqual} from 'node:util';
import type {Environment} from '../job/environment.ts';
import {changedFiles} from './git/changed-files.ts';
import {fingerprint} from './git/fingerprint.ts';
import {findGit} from './git/git-places.ts';
import {PrivateGit} from './git/private-git.ts';
import type {Layout} from './layout.ts';
import {Pace} from './pace.ts';
import {readRecord, type WorkState, writeRecord} from './record.ts';
import {readStart, type Start} from './start.ts';

const LIMIT_MS = 60_000;

/**
 * Whether HEAD or tree have changed since the last delivery, or since `after_create` if there was none.
 * In doubt they have: delivering twice is harmless, and undelivered work is lost.
 */
export async function needsDelivery(
  layout: Layout,
  scratch: string,
  env: Environment,
): Promise<boolean> {
  try {
    const delivered = (await readRecord(layout))?.delivered;
    const now = await stateOf(layout, scratch, env);
    if (delivered !== undefined) return !isDeepStrictEqual(now, delivered);
    const start = await readStart(layout);
    if (start === null) return true;
    if (!start.isRepository) return now.tree !== start.tree;
    return now.head !== start.head || (await hasOtherFiles(layout, start, scratch, env));
  } catch {
    return true;
  }
}

/** Taken after the hook, which may commit what it delivers. */
export async function noteDelivered(
  layout: Layout,
  scratch: string,
  env: Environment,
): Promise<void> {
  const record = await readRecord(layout);
  if (record === null) return;
  const {delivery_failed: _, ...rest} = record;
  const delivered = await stateOf(layout, scratch, env).catch(() => null);
  // An unreadable state equals no later one, so the next clean run delivers again.
  await writeRecord(layout, {...rest, delivered: delivered ?? {head: null, tree: null}});
}

export async function noteFailedDelivery(layout: Layout): Promise<void> {
  const record = await readRecord(layout);
  if (record !== null) await writeRecord(layout, {...record, delivery_failed: true});
}

/** Throws if the workspace cannot be inspected. */
async function stateOf(layout: Layout, scratch: string, env: Environment): Promise<WorkState> {
  const places = await findGit(layout);
  using pace = new Pace(LIMIT_MS);
  await using git = await PrivateGit.open(layout.path, places, scratch, env, pace);
  const look = await fingerprint(layout.path, places, scratch, env);
  if ('problem' in look) throw new Error(look.problem);
  return {head: git?.refs.head ?? null, tree: look.digest};
}

/** Files that are neither committed nor unchanged since the end of `after_create`. */
async function hasOtherFiles(
  layout: Layout,
  start: Start,
  scratch: string,
  env: Environment,
): Promise<boolean> {
  if (start.files === null) return true;
  using pace = new Pace(LIMIT_MS);
  const places = await findGit(layout);
  await using git = await PrivateGit.open(layout.path, places, scratch, env, pace);
  const files = git === null ? null : await changedFiles(git, layout.path, pace);
  return files === null || !isDeepStrictEqual(Object.fromEntries(files), {...start.files});
}
