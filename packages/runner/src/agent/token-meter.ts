import {
  addUsage,
  largerUsage,
  type ModelUsage,
  NO_USAGE,
  type Usage,
  usageBeyond,
} from '@symphony-supervisor/protocol';

/**
 * What this run has used. Agents count in one of two ways: by totals of a conversation, of which only
 * what exceeds the part counted before is added, so that a repeated, replayed or smaller total adds
 * nothing; or by the cost of each turn. Helpers of an agent have conversations of their own.
 */
export class TokenMeter {
  readonly #counted = new Map<string, Usage>();
  readonly #byModel = new Map<string | null, Usage>();
  #run: Usage = NO_USAGE;

  /** What earlier runs have already counted of a conversation that is resumed. */
  startFrom(threadId: string, counted: Usage): void {
    this.#counted.set(threadId, counted);
  }

  /** What a conversation has used in all. */
  total(threadId: string, usage: Usage, model: string | null): void {
    const counted = this.ofThread(threadId);
    this.#count(usageBeyond(counted, usage), model);
    this.#counted.set(threadId, largerUsage(counted, usage));
  }

  /** What a conversation has used since this was last said. */
  more(threadId: string, usage: Usage, model: string | null): void {
    this.#count(usage, model);
    this.#counted.set(threadId, addUsage(this.ofThread(threadId), usage));
  }

  get run(): Usage {
    return this.#run;
  }

  get models(): ModelUsage[] {
    return [...this.#byModel].map(([model, usage]) => ({model, usage}));
  }

  ofThread(threadId: string): Usage {
    return this.#counted.get(threadId) ?? NO_USAGE;
  }

  #count(usage: Usage, model: string | null): void {
    this.#run = addUsage(this.#run, usage);
    this.#byModel.set(model, addUsage(this.#byModel.get(model) ?? NO_USAGE, usage));
  }
}
