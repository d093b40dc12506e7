import {setTimeout as delay} from 'node:timers/promises';
import {type IssueAnswer, RunFailure} from '@symphony-supervisor/protocol';
import type {RunnerLink} from '../host/link.ts';
import {reasonOf} from '../workspace/layout.ts';

/** The host reads the tracker; a paged read may take two minutes. */
export const HOST_LIMIT_MS = 150_000;
/** The tracker's own retries have ended by then. */
const PAUSE_MS = 1_000;

/**
 * The issue between two turns. An unreachable or rate-limited tracker must not fail a successful run:
 * the read is repeated until the deadline.
 */
export async function refreshIssue(
  link: Pick<RunnerLink, 'readIssue'>,
  signal: AbortSignal,
  {limitMs = HOST_LIMIT_MS, pauseMs = PAUSE_MS} = {},
): Promise<IssueAnswer> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await link.readIssue(deadline - performance.now());
    } catch (error) {
      if (performance.now() + pauseMs >= deadline) {
        throw new RunFailure('issue_refresh_failed', reasonOf(error), {cause: error});
      }
    }
    await delay(pauseMs, null, {signal});
  }
}
