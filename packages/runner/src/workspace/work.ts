import type {HookJob} from '../job/hooks.ts';
import type {Room} from '../job/room.ts';
import {changedFiles} from './git/changed-files.ts';
import {fingerprint} from './git/fingerprint.ts';
import {findGit} from './git/git-places.ts';
import {PrivateGit} from './git/private-git.ts';
import {askRemote} from './git/remote.ts';
import {type Layout, reasonOf} from './layout.ts';
import {Pace} from './pace.ts';
import {readRecord} from './record.ts';
import {readStart, type Start} from './start.ts';

/** How the look is taken: for whom, and where it may put its own files. */
export interface Look {
  readonly job: Pick<HookJob, 'run_id' | 'secret_names'>;
  readonly room: Room;
  readonly scratch: string;
}

/** The remote has 30 s of them. */
const LIMIT_MS = 120_000;

/**
 * What would be lost with the workspace, in words; null: nothing. Work is what an agent made and what
 * is nowhere else: commits that were not delivered, and files that are neither committed nor as they
 * were at the start. In doubt there is some.
 */
export async function workIn(layout: Layout, look: Look): Promise<string | null> {
  const work = await undelivered(layout, look).catch(
    (error: unknown) => `it cannot be inspected: ${reasonOf(error)}`,
  );
  const record = await readRecord(layout).catch(() => null);
  if (record?.delivery_failed !== true) return work;
  // Whatever the remote has by now: what the hook was to do is not done.
  return work === null ? 'delivery failed' : `delivery failed, ${work}`;
}

async function undelivered(layout: Layout, look: Look): Promise<string | null> {
  const {scratch, room} = look;
  const start = await readStart(layout);
  const places = await findGit(layout);
  using pace = new Pace(LIMIT_MS);
  await using git = await PrivateGit.open(layout.path, places, scratch, room.environment, pace);
  if (git !== null) return await inRepository(layout, git, start, look, pace);
  if (start?.isRepository) return 'its git repository is gone';
  return (await isAsAtStart(layout, start, look)) ? null : 'files changed, without git';
}

async function inRepository(
  layout: Layout,
  git: PrivateGit,
  start: Start | null,
  look: Look,
  pace: Pace,
): Promise<string | null> {
  const delivered = (await readRecord(layout))?.delivered?.head ?? null;
  const known = [...(start?.tips ?? []), ...(delivered === null ? [] : [delivered])];
  let commits = await commitsBeyond(git, known);
  let doubt = '';
  if (commits > 0 && start !== null && start.remote !== null) {
    const remote = await askRemote(start.remote, git, look);
    if (remote.ok) commits = await commitsBeyond(git, [...known, ...remote.commits]);
    else doubt = ` (${remote.why})`;
  }
  const files = await filesBeyond(layout, git, start, pace);
  const parts = [
    ...(commits === 0 ? [] : [`${numbered(commits, 'commit')} not pushed${doubt}`]),
    ...(files === 0 ? [] : [`${numbered(files, 'file')} not committed`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** How many commits hang on the workspace's refs that none of the known ones has. */
async function commitsBeyond(git: PrivateGit, known: readonly string[]): Promise<number> {
  const {tips} = git.refs;
  if (tips.every((tip) => known.includes(tip))) return 0;
  const revisions = [...tips, ...known.map((sha) => `^${sha}`)].join('\n');
  // What a remote has may not be here; then nothing here descends from it.
  const counted = await git.ask(['rev-list', '--count', '--ignore-missing', '--stdin'], revisions);
  return Number(counted.toString());
}

async function filesBeyond(
  layout: Layout,
  git: PrivateGit,
  start: Start | null,
  pace: Pace,
): Promise<number> {
  const now = await changedFiles(git, layout.path, pace);
  const then = start?.files ?? {};
  return [...(now ?? [])].filter(([name, digest]) => then[name] !== digest).length;
}

async function isAsAtStart(
  layout: Layout,
  start: Start | null,
  {scratch, room}: Look,
): Promise<boolean> {
  const found = await fingerprint(layout.path, null, scratch, room.environment);
  if ('problem' in found) return false;
  const tree = found.digest;
  const delivered = (await readRecord(layout))?.delivered?.tree ?? null;
  // Without a record of its start only an empty one is known to hold nothing.
  const then = start === null ? EMPTY_TREE : start.tree;
  return tree === then || tree === delivered;
}

/** The fingerprint of an empty folder: SHA-256 of nothing. */
const EMPTY_TREE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function numbered(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
