import {RunFailure} from '@symphony-supervisor/protocol';
import {loose, textOrNull} from '@symphony-supervisor/protocol/transcript';
import {RefusedRequest} from '../wire/peer.ts';
import {PromptResult} from './messages.ts';

/** The protocol's own code for an agent without a login. It has no other code that tells one failure from another. */
const AUTHENTICATION_REQUIRED = -32000;

/** For people: which end of a turn the agent reports. Those that are not here it did not mean as an end. */
const FAILED_ENDS: Readonly<Record<string, string>> = {
  refusal: 'the model refused to go on',
  max_tokens: 'the model reached the longest answer that it may give',
  max_turn_requests: 'the agent made as many requests to its model as it may in one turn',
};

/** What a turn came to by its answer; null: it was completed. `refusedLast`: what we refused, with nothing said after it. */
export function verdictOf(answer: unknown, refusedLast: string | null): RunFailure | null {
  const result = PromptResult.safeParse(answer);
  if (!result.success) return new RunFailure('turn_failed', 'the turn ended without a reason');
  const {stopReason} = result.data;
  if (stopReason === 'cancelled') {
    return new RunFailure('turn_cancelled', 'the turn was interrupted, and not by us');
  }
  if (stopReason !== 'end_turn') {
    const why = FAILED_ENDS[stopReason] ?? 'an end that is not known';
    return new RunFailure('turn_failed', `the turn ended with ${stopReason}: ${why}`);
  }
  if (refusedLast === null) return null;
  const message = `the agent gave up when it was refused: ${refusedLast}`;
  return new RunFailure('turn_failed', message);
}

/** The answer to a prompt was an error, or never came. */
export function promptFailure(error: unknown, isCancelled: boolean): RunFailure {
  if (error instanceof RunFailure) return error;
  if (!(error instanceof RefusedRequest)) return requestFailure(error);
  // By the protocol a cancelled turn ends without an error. One that had hardly begun does not always.
  if (isCancelled) return new RunFailure('turn_cancelled', withDetails(error), {cause: error});
  const code = error.code === AUTHENTICATION_REQUIRED ? 'unauthorized' : 'turn_failed';
  return new RunFailure(code, withDetails(error), {cause: error});
}

/** For requests that open a conversation: which failure a refusal of one of them is. */
export function requestFailure(error: unknown): RunFailure {
  if (error instanceof RunFailure) return error;
  if (!(error instanceof RefusedRequest)) {
    const message = error instanceof Error ? error.message : String(error);
    return new RunFailure('response_error', `the agent's answer was not understood: ${message}`, {
      cause: error,
    });
  }
  const code = error.code === AUTHENTICATION_REQUIRED ? 'unauthorized' : 'response_error';
  return new RunFailure(code, `the agent refused ${withDetails(error)}`, {cause: error});
}

/** Agents put the text of the model's API into `data`, as a text or in a field. */
export function withDetails(error: RefusedRequest): string {
  const {data, message} = error;
  const fields = loose(data);
  const details =
    textOrNull(data) ??
    textOrNull(fields.details) ??
    textOrNull(fields.message) ??
    textOrNull(fields.error);
  return details === null || message.includes(details) ? message : `${message} (${details})`;
}
