import type {Usage} from '@symphony-supervisor/protocol';
import type * as z from 'zod/mini';
import type {TokenUsageNotice} from './wire/messages.ts';

/** A conversation's total in our words. */
export function usageOf({tokenUsage: {total}}: z.infer<typeof TokenUsageNotice>): Usage {
  return {
    input_tokens: Math.round(total.inputTokens),
    cached_input_tokens: Math.round(total.cachedInputTokens),
    output_tokens: Math.round(total.outputTokens),
    reasoning_output_tokens: Math.round(total.reasoningOutputTokens),
    // Not Codex's own total: it is set to the model's limit when a conversation outgrows the model.
    total_tokens: Math.round(total.inputTokens) + Math.round(total.outputTokens),
  };
}
