import type {HookJob} from '../job/hooks.ts';
import type {JobResources} from '../job/job-resources.ts';
import {changedFiles} from './git/changed-files.ts';
import {fingerprint} from './git/fingerprint.ts';
import {findGit} from './git/git-places.ts';
import {PrivateGit} from './git/private-git.ts';
import {askRemote} from './git/remote.ts';
import {type Layout, reasonOf} from './layout.ts';
import {Pace} from './pace.ts';
import {readRecord} from './record.ts';
import {readStart, type Start} from './start.ts';

/** Settings of the inspection: its resources, and the folder for its temporary files. */
export interface Look {
  readonly job: Pick<HookJob, 'run_id' | 'secret_names'>;
  readonly resources: JobResources;
  readonly scratch: string;
}

/** The remote has 30 s of them. */
const LIMIT_MS = 120_000;

/**
 * What would be lost with the workspace, in words; null: nothing. Work is the agent's only copy of
 * something: undelivered commits, and files that are neither committed nor unchanged since the
 * start. In doubt there is some.
 */
export async function workIn(layout: Layout, look: Look): Promise<string | null> {
  const work = await undelivered(layout, look).catch(
    (error: unknown) => `it cannot be inspected: ${reasonOf(error)}`,
  );
  const record = await readRecord(layout).catch(() => null);
  if (record?.delivery_failed !== true) return work;
  // Whatever the remote has: the hook has not completed its work.
  return work === null ? 'delivery failed' : `delivery failed, ${work}`;
}

async function undelivered(layout: Layout, look: Look): Promise<string | null> {
  const {scratch, resources} = look;
  const start = await readStart(layout);
  const places = await findGit(layout);
  using pace = new Pace(LIMIT_MS);
  await using git = await PrivateGit.open(
    layout.path,
    places,
    scratch,
    resources.environment,
    pace,
  );
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

/** Number of commits reachable from the workspace's refs but from none of the known commits. */
async function commitsBeyond(git: PrivateGit, known: readonly string[]): Promise<number> {
  const {tips} = git.refs;
  if (tips.every((tip) => known.includes(tip))) return 0;
  const revisions = [...tips, ...known.map((sha) => `^${sha}`)].join('\n');
  // A commit of the remote may not exist here; then nothing here descends from it.
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
  {scratch, resources}: Look,
): Promise<boolean> {
  const found = await fingerprint(layout.path, null, scratch, resources.environment);
  if ('problem' in found) return false;
  const tree = found.digest;
  const delivered = (await readRecord(layout))?.delivered?.tree ?? null;
  // Without a record of its start only an empty workspace is known to hold no work.
  const then = start === null ? EMPTY_TREE : start.tree;
  return tree === then || tree === delivered;
}

/** The fingerprint of an empty folder: SHA-256 of nothing. */
const EMPTY_TREE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function numbered(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
