import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {
  letGoOfOld,
  type RetentionOptions,
} from '../../../packages/orchestrator/src/shell/upkeep/retention.ts';
import {readStore} from '../checks/check-record.ts';
import type {Life} from '../life.ts';
import type {World} from '../world.ts';
import {checkRun} from './find-left.ts';

/** So little that a day has plenty to let go of. */
const KEEP = {keepDays: 0.25, keepRuns: 60, transcriptDays: 0.125, smallJobDays: 1 / 48};
const DAY_MS = 24 * 3_600_000;
/** Asked again every minute while a tracker is down: that would only take time here. */
const SOON_MS = 15 * 60_000;

type Fail = (problem: string) => void;

interface Row {
  readonly run_id: string;
  readonly key: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly outcome: string | null;
  readonly total_tokens: number;
}

/** The real one, on the real file and real transcripts; and a look at what it took and left. */
export async function letGoOfOldAndLook(
  world: World,
  life: Life,
  logsRoot: string,
  options: RetentionOptions,
  now: number,
): Promise<void> {
  const at = world.clock.monotonic();
  const isSoon = at < life.letGoAt + SOON_MS && world.clock.jumpedAt < life.letGoAt;
  if (!life.isAlive || isSoon) return;
  life.letGoAt = at;
  const fail: Fail = (problem) => world.watcher.fail(problem);
  const before = runsIn(life.dir);
  const letting = letGoOfOld(options, now, KEEP);
  checkRows(world, life, before, now, fail);
  await letting;
  if (life.isAlive) checkTranscripts(world, join(logsRoot, 'runs'), options, now, fail);
}

function checkRows(
  world: World,
  {dir, supervisor}: Life,
  before: readonly Row[],
  now: number,
  fail: Fail,
): void {
  const oldest = now - KEEP.keepDays * DAY_MS;
  const left = new Set(runsIn(dir).map(({run_id}) => run_id));
  const claims = supervisor?.state.claims;
  before.forEach((row, newer) => {
    const isTooOld = row.ended_at !== null && (row.ended_at < oldest || newer >= KEEP.keepRuns);
    const isClaimed = claims?.has(row.key) ?? false;
    if (row.ended_at !== null && row.ended_at < row.started_at) {
      fail(`${row.run_id} ended before it began`);
    }
    if (left.has(row.run_id)) {
      const isKnown = claims !== undefined && world.ledger.unwritableSince === null;
      if (isTooOld && isKnown && !isClaimed) fail(`${row.run_id} is too old, and is kept`);
      return;
    }
    if (isClaimed) fail(`${row.run_id} is let go of, and ${row.key} is claimed`);
    if (!isTooOld) fail(`${row.run_id} is let go of, ${newer} before it`);
    const account = world.ledger.accounts.get(row.run_id);
    if (account !== undefined) checkRun(account, row.outcome, row.total_tokens, fail);
    world.ledger.letGo.add(row.run_id);
  });
  if (world.ledger.unwritableSince !== null) return;
  const old = 'SELECT count(*) AS count FROM actions WHERE at < ?';
  const {count} = readStore(dir, (db) => db.prepare(old).get(oldest)) as {count: number};
  if (count > 0) fail(`${count} orders of operators are too old, and are kept`);
}

/** Newest first. */
function runsIn(dir: string): Row[] {
  const all = 'SELECT * FROM runs ORDER BY started_at DESC, rowid DESC';
  return readStore(dir, (db) => db.prepare(all).all()) as unknown as Row[];
}

function checkTranscripts(
  world: World,
  folder: string,
  {isLive}: RetentionOptions,
  now: number,
  fail: Fail,
): void {
  const names = new Set(readdirSync(folder));
  for (const {job, identity} of world.processes.values()) {
    if (job.kind !== 'attempt' || identity === null || !isLive(job.run_id)) continue;
    if (!names.has(`${job.run_id}.jsonl`)) fail(`the transcript of ${job.run_id} is let go of`);
  }
  if (world.ledger.unwritableSince !== null) return;
  for (const name of names) {
    const days = name.includes('-job-') ? KEEP.smallJobDays : KEEP.transcriptDays;
    const isOld = statSync(join(folder, name)).mtimeMs <= now - days * DAY_MS;
    if (isOld && !isLive(name.replace('.jsonl', ''))) fail(`${name} is too old, and is kept`);
  }
}

/** What should have been let go of by somebody who looks every hour. */
export function findTooOld(world: World): string[] {
  const {life, clock} = world;
  if (life === null) return [];
  const oldest = clock.now() - KEEP.keepDays * DAY_MS - 65 * 60_000;
  return runsIn(life.dir)
    .filter(({key}) => life.supervisor?.state.claims.has(key) === false)
    .filter(({ended_at}) => ended_at !== null && ended_at < oldest)
    .map(({run_id}) => `${run_id} is too old, and is kept`);
}
