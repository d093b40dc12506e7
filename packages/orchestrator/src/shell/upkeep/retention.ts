import {readdir, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Store} from '../../store/index.ts';
import type {Log} from '../log.ts';

/** History of a quarter year, or of the last ten thousand runs; the sums over what went are kept. */
const KEEP = {
  ...{keepDays: 90, keepRuns: 10_000},
  /** Transcripts are the bulk of what is kept. */
  transcriptDays: 30,
  /** What a probe or the cleaning of a workspace printed is of interest only while it is fresh. */
  smallJobDays: 2,
};
const DAY_MS = 24 * 60 * 60_000;

export interface RetentionOptions {
  readonly store: Pick<Store, 'prune'>;
  /** Where the transcripts lie, one file per run. */
  readonly folder: string;
  /** Runs that are under way: theirs are kept however old they are. */
  readonly isLive: (runId: string) => boolean;
  readonly log: Log;
}

/** Lets go of what is too old. What cannot be deleted is tried again the next time. */
export async function letGoOfOld(
  options: RetentionOptions,
  now: number,
  keep = KEEP,
): Promise<void> {
  const {store, folder, log} = options;
  try {
    const pruned = store.prune(keep, now);
    for (const {runId} of pruned.runs) await rm(join(folder, `${runId}.jsonl`), {force: true});
    const transcripts = await removeOldTranscripts(options, now, keep);
    if (pruned.runs.length + transcripts === 0) return;
    log('info', {event: 'history.pruned', runs: pruned.runs.length, transcripts}, 'history.pruned');
  } catch (error) {
    log('warn', {event: 'history.not_pruned', reason: String(error)}, 'history.not_pruned');
  }
}

async function removeOldTranscripts(
  {folder, isLive}: RetentionOptions,
  now: number,
  {transcriptDays, smallJobDays}: typeof KEEP,
): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const runId = name.replace(/\.jsonl$/, '');
    if (runId === name || isLive(runId)) continue;
    const days = runId.includes('-job-') ? smallJobDays : transcriptDays;
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written === null || written.mtimeMs > now - days * DAY_MS) continue;
    await rm(path, {force: true});
    removed++;
  }
  return removed;
}
