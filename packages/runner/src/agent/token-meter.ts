import {
  addUsage,
  largerUsage,
  NO_USAGE,
  type Usage,
  usageBeyond,
} from '@symphony-supervisor/protocol';

/**
 * Turns the totals that an agent tells of its conversations into what this run has used. A total
 * counts only where it exceeds what was counted before, so a repeated, replayed or smaller one counts
 * nothing. Helpers of the agent have conversations of their own, each with its own total.
 */
export class TokenMeter {
  readonly #counted = new Map<string, Usage>();
  #run: Usage = NO_USAGE;

  /** What earlier runs have already counted of a conversation that is gone on with. */
  startFrom(threadId: string, counted: Usage): void {
    this.#counted.set(threadId, counted);
  }

  /** What a conversation has used in all, as its agent counts. */
  total(threadId: string, usage: Usage): void {
    const counted = this.#counted.get(threadId) ?? NO_USAGE;
    this.#run = addUsage(this.#run, usageBeyond(counted, usage));
    this.#counted.set(threadId, largerUsage(counted, usage));
  }

  get run(): Usage {
    return this.#run;
  }

  ofThread(threadId: string): Usage {
    return this.#counted.get(threadId) ?? NO_USAGE;
  }
}
