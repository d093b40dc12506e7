import {getDefaultHighWaterMark, type Readable, setDefaultHighWaterMark} from 'node:stream';

/** Streamed text is reported four times a second, so this delay is not seen. A line that follows text waits for two pauses at most. */
const PAUSE_MS = 40;

/**
 * Reads what an agent writes. An agent that streams text writes a few words every few milliseconds, and waking up for
 * each write costs more than handling the text. So a batch that was only streamed text is followed by a pause, in which
 * nothing is read.
 *
 * The pipe must be one of `withoutReadAhead`: Node reads on during a pause until the stream's buffer is full.
 *
 * @param take handles a batch, and says whether it was only streamed text.
 */
export function readInBatches(pipe: Readable, take: (batch: Buffer) => boolean): void {
  let isPaused = false;
  const read = (): void => {
    const batch: Buffer | null = pipe.read();
    isPaused = batch !== null && take(batch);
    if (isPaused) setTimeout(read, PAUSE_MS);
  };
  pipe.on('readable', () => {
    if (!isPaused) read();
  });
}

/** Starts a process whose pipes hold one read at a time: Node reads the next one after `read()` was called. */
export function withoutReadAhead<T>(start: () => T): T {
  const usual = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 1);
  try {
    return start();
  } finally {
    setDefaultHighWaterMark(false, usual);
  }
}
