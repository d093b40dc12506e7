import {endProcesses} from '@symphony-supervisor/protocol/processes';
import type {Loaded, RunBegun} from '../store/index.ts';

/**
 * Ends what a former life of this supervisor left running: everything that carries the id of a run
 * that it had begun and not ended. Returns the ids, for the log.
 */
export async function endFormerLife(
  loaded: Loaded,
  openRuns: readonly RunBegun[],
): Promise<string[]> {
  const runIds = new Set(openRuns.map(({runId}) => runId));
  for (const claim of loaded.claims.values()) {
    if ('run' in claim && claim.run !== null) runIds.add(claim.run.id);
  }
  for (const {runId} of loaded.unreadable) if (runId !== null) runIds.add(runId);
  const markers = [...runIds].map((runId) => `SYMPHONY_RUN_ID=${runId}`);
  // They end by themselves when their supervisor is gone; whoever still lives has had its time.
  if (markers.length > 0) await endProcesses({roots: [], markers, except: [process.pid]}, 0);
  return [...runIds];
}
