import type {IncomingMessage, ServerResponse} from 'node:http';
import {ApiError} from './api-error.ts';

/**
 * A tracker sends one delivery at a time and repeats a refused one; a poll reads the change anyway.
 */
const MOST_BODIES = 8;
const RETRY_AFTER_S = 5;
/** A body of a few megabytes takes a tracker less than a second. */
const BODY_MS = 10_000;

/** Limits the bodies of callers without a credential: few at a time, each within a deadline. */
export class BodySlots {
  readonly #bodyMs: number;
  #used = 0;

  constructor(bodyMs = BODY_MS) {
    this.#bodyMs = bodyMs;
  }

  /** Until the response has been sent, or the caller is gone. Throws where all are taken. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#used >= MOST_BODIES) {
      throw new ApiError(
        'unavailable',
        'too many deliveries at the same time; send it again later',
        {
          'retry-after': String(RETRY_AFTER_S),
        },
      );
    }
    this.#used++;
    const deadline = setTimeout(() => request.destroy(), this.#bodyMs);
    request.once('end', () => clearTimeout(deadline));
    response.once('close', () => {
      clearTimeout(deadline);
      this.#used--;
    });
  }
}
