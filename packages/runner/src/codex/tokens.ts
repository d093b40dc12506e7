import {
  addUsage,
  largerUsage,
  NO_USAGE,
  type Usage,
  usageBeyond,
} from '@symphony-supervisor/protocol';
import type * as z from 'zod/mini';
import type {TokenUsageNotice} from './messages.ts';

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

  take({threadId, tokenUsage: {total}}: z.infer<typeof TokenUsageNotice>): void {
    const usage: Usage = {
      input_tokens: Math.round(total.inputTokens),
      cached_input_tokens: Math.round(total.cachedInputTokens),
      output_tokens: Math.round(total.outputTokens),
      reasoning_output_tokens: Math.round(total.reasoningOutputTokens),
      // Not Codex's own total: it is set to the model's limit when a conversation outgrows the model.
      total_tokens: Math.round(total.inputTokens) + Math.round(total.outputTokens),
    };
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
