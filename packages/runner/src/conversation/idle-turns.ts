import type {AttemptJob} from '@symphony-supervisor/protocol';
import {maySubmit} from './first-message.ts';

/** Counts consecutive turns without changes: they cost money on an issue that needs no more work. */
export class IdleTurns {
  readonly #maxIdleTurns: number;
  readonly #isHandedOff: boolean;
  #inARow = 0;
  #hasChanged = false;

  constructor(job: AttemptJob) {
    this.#maxIdleTurns = job.max_idle_turns;
    this.#isHandedOff = maySubmit(job);
  }

  /** Whether the run should end after this turn. */
  note(changed: boolean): boolean {
    this.#inARow = changed ? 0 : this.#inARow + 1;
    this.#hasChanged ||= changed;
    if (this.#maxIdleTurns === 0) return false;
    // After the handoff a person reviews the earlier turns; one more turn would change nothing again.
    const limit = this.#isHandedOff && this.#hasChanged ? 1 : this.#maxIdleTurns;
    return this.#inARow >= limit;
  }
}
