import type {RunFailure} from '@symphony-supervisor/protocol';
import type {TurnLine} from '@symphony-supervisor/protocol/transcript';
import type {Transcript} from '../transcript/transcript.ts';
import {reasonOf} from '../workspace/layout.ts';

type TurnEnded = Extract<TurnLine, {ev: 'turn_ended'}>;

/** Writes the prompt of a turn and its end to the transcript, also if the turn is interrupted. */
export async function framedTurn(
  transcript: Pick<Transcript, 'line'>,
  turn: number,
  text: string,
  take: () => Promise<RunFailure | null>,
): Promise<RunFailure | null> {
  transcript.line({ev: 'prompt', turn, text});
  const startedAt = performance.now();
  const ended = (status: TurnEnded['status'], error: string | null) => {
    const ms = Math.round(performance.now() - startedAt);
    transcript.line({ev: 'turn_ended', status, error, ms});
  };
  try {
    const failure = await take();
    if (failure === null) ended('completed', null);
    else if (failure.failure.code === 'turn_cancelled') ended('interrupted', null);
    else ended('failed', failure.message);
    return failure;
  } catch (error) {
    ended('failed', reasonOf(error));
    throw error;
  }
}
