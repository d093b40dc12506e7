import type {ProcessIdentity} from '@symphony-supervisor/protocol/processes';
import type {Loaded, RunBegun} from '../../store/index.ts';
import type {EarlierRuns} from '../host/host.ts';

/**
 * What an earlier supervisor process may have left running: the recorded runners, and every run that it had
 * begun and not ended. The first finds processes that cleared their environment, the second those that lost their parent.
 */
export function earlierRuns(loaded: Loaded, openRuns: readonly RunBegun[]): EarlierRuns {
  const runIds = new Set(openRuns.map(({runId}) => runId));
  const processes: ProcessIdentity[] = [];
  for (const claim of loaded.claims.values()) {
    if (!('run' in claim) || claim.run === null) continue;
    runIds.add(claim.run.id);
    if (claim.run.process !== null) processes.push(claim.run.process);
  }
  for (const {claim} of loaded.unreadable) if (claim?.runId != null) runIds.add(claim.runId);
  return {runIds: [...runIds], processes, life: loaded.life};
}
