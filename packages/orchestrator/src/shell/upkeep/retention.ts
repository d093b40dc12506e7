import type {Store} from '../../store/index.ts';
import type {Transcripts} from '../host/transcripts.ts';
import type {Log} from '../log.ts';

/** History of a quarter year, or of the last ten thousand runs; totals over deleted runs are kept. */
const KEEP = {
  ...{keepDays: 90, keepRuns: 10_000},
  /** Transcripts take most of the space. */
  transcriptDays: 30,
  /** The output of a probe or a cleaning is of interest only for a short time. */
  smallJobDays: 2,
};
const DAY_MS = 24 * 60 * 60_000;

export interface RetentionOptions {
  readonly store: Pick<Store, 'prune'>;
  readonly transcripts: Pick<Transcripts, 'remove' | 'removeOld'>;
  /** Current runs: their transcripts are kept however old they are. */
  readonly isLive: (runId: string) => boolean;
  readonly log: Log;
}

/** Deletes what is too old. A failed deletion is retried the next time. */
export async function letGoOfOld(
  options: RetentionOptions,
  now: number,
  keep = KEEP,
): Promise<void> {
  const {store, transcripts, isLive, log} = options;
  try {
    const pruned = store.prune(keep, now);
    await transcripts.remove(pruned.runs.map(({runId}) => runId));
    const old = {
      ofRuns: now - keep.transcriptDays * DAY_MS,
      ofSmallJobs: now - keep.smallJobDays * DAY_MS,
    };
    const removed = await transcripts.removeOld(old, isLive);
    const runs = pruned.runs.length;
    if (runs + removed === 0) return;
    log('info', {event: 'history.pruned', runs, transcripts: removed}, 'history.pruned');
  } catch (error) {
    log('warn', {event: 'history.not_pruned', reason: String(error)}, 'history.not_pruned');
  }
}
