import {
  addUsage,
  largerUsage,
  type ModelUsage,
  NO_USAGE,
  type Usage,
  usageBeyond,
} from '@symphony-supervisor/protocol';

const NOTHING_YET = {threadId: '', models: []};

function sumOf(counted: Usage, models: readonly ModelUsage[]): Usage {
  return models.reduce((sum, {usage}) => addUsage(sum, usage), counted);
}

/**
 * What this run has used. Agents count in one of two ways: by totals of a conversation, of which only
 * what exceeds the part counted before is added, so that a repeated, replayed or smaller total adds
 * nothing; or by the cost of each turn. Helpers of an agent have conversations of their own.
 */
export class TokenMeter {
  readonly #counted = new Map<string, Usage>();
  readonly #byModel = new Map<string | null, Usage>();
  #run: Usage = NO_USAGE;
  #soFar: {readonly threadId: string; readonly models: readonly ModelUsage[]} = NOTHING_YET;

  /** What earlier runs have already counted of a conversation that is resumed. */
  startFrom(threadId: string, counted: Usage): void {
    this.#counted.set(threadId, counted);
  }

  /** What a conversation has used in all. */
  total(threadId: string, usage: Usage, model: string | null): void {
    const counted = this.#counted.get(threadId) ?? NO_USAGE;
    this.#count(usageBeyond(counted, usage), model);
    this.#counted.set(threadId, largerUsage(counted, usage));
  }

  /** What a conversation has used since this was last said. */
  more(threadId: string, usage: Usage, model: string | null): void {
    this.#count(usage, model);
    this.#counted.set(threadId, addUsage(this.#counted.get(threadId) ?? NO_USAGE, usage));
  }

  /**
   * What the turn under way is known to have used, until the agent says what it used in all. Each call replaces the
   * last one; if the agent dies, this is what remains known.
   */
  soFar(threadId: string, models: readonly ModelUsage[]): void {
    this.#soFar = {threadId, models};
  }

  get run(): Usage {
    return sumOf(this.#run, this.#soFar.models);
  }

  get models(): ModelUsage[] {
    const byModel = new Map(this.#byModel);
    for (const {model, usage} of this.#soFar.models) {
      byModel.set(model, addUsage(byModel.get(model) ?? NO_USAGE, usage));
    }
    return [...byModel].map(([model, usage]) => ({model, usage}));
  }

  ofThread(threadId: string): Usage {
    const counted = this.#counted.get(threadId) ?? NO_USAGE;
    return threadId === this.#soFar.threadId ? sumOf(counted, this.#soFar.models) : counted;
  }

  #count(usage: Usage, model: string | null): void {
    this.#run = addUsage(this.#run, usage);
    this.#byModel.set(model, addUsage(this.#byModel.get(model) ?? NO_USAGE, usage));
  }
}
