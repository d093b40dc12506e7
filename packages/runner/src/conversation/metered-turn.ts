import type {FailureCode, RunFailure} from '@symphony-supervisor/protocol';
import type {ProgressKeeper} from '../agent/progress.ts';

/** The agent did not come to the end of its turn, so the model's last answer may be missing from its figures. */
const CUT_OFF: ReadonlySet<FailureCode> = new Set([
  ...(['port_exit', 'turn_timeout', 'turn_cancelled', 'response_timeout'] as const),
]);

/** Keeps in mind whether the figures of a turn are final. A turn that never returns leaves them open. */
export async function meteredTurn(
  progress: Pick<ProgressKeeper, 'turnBegins' | 'turnEnds'>,
  take: () => Promise<RunFailure | null>,
): Promise<RunFailure | null> {
  progress.turnBegins();
  const failure = await take();
  progress.turnEnds(failure === null || !CUT_OFF.has(failure.failure.code));
  return failure;
}
