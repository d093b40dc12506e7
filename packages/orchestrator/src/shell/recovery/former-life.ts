import type {ProcessIdentity} from '@symphony-supervisor/protocol/processes';
import type {Loaded, RunBegun} from '../../store/index.ts';
import type {Outside} from '../outside.ts';

/**
 * Ends what a former life of this supervisor left running: the runners on record with all that descends
 * from them, and everything that carries the id of a run that it had begun and not ended. The one finds
 * what has dropped its environment, the other what has lost its parent.
 */
export async function endFormerLife(
  loaded: Loaded,
  openRuns: readonly RunBegun[],
  {endProcesses}: Pick<Outside, 'endProcesses'>,
): Promise<{
  readonly runIds: readonly string[];
  /** What could not be ended. */
  readonly left: readonly ProcessIdentity[];
}> {
  const runIds = new Set(openRuns.map(({runId}) => runId));
  const roots: ProcessIdentity[] = [];
  for (const claim of loaded.claims.values()) {
    if (!('run' in claim) || claim.run === null) continue;
    runIds.add(claim.run.id);
    if (claim.run.process !== null) roots.push(claim.run.process);
  }
  for (const {claim} of loaded.unreadable) if (claim?.runId != null) runIds.add(claim.runId);
  const markers = [...runIds].map((runId) => `SYMPHONY_RUN_ID=${runId}`);
  // Small jobs are on no record of their own, but their ids begin like those of the runs.
  const prefixes = loaded.life === null ? [] : [`SYMPHONY_RUN_ID=${loaded.life}-`];
  const isAnything = markers.length + prefixes.length > 0;
  const query = {roots, markers, prefixes, except: [process.pid]};
  return {runIds: [...runIds], left: isAnything ? await endProcesses(query) : []};
}
