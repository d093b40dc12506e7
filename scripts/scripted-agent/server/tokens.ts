/** Tokens as the protocol counts them: input includes cached, output includes reasoning. */
export interface TokenCount {
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningOutputTokens: number;
}

/** Tokens as a script writes them; a bare number is input. */
export type Tokens =
  | number
  | {
      readonly input?: number;
      readonly cached?: number;
      readonly output?: number;
      readonly reasoning?: number;
    };

/** What one request to the model costs unless the step says otherwise. */
export const USUAL_COST: Tokens = {input: 1000, cached: 400, output: 50, reasoning: 20};

export const NO_TOKENS: TokenCount = countOf(0);

export function countOf(tokens: Tokens): TokenCount {
  const {
    input = 0,
    cached = 0,
    output = 0,
    reasoning = 0,
  } = typeof tokens === 'number' ? {input: tokens} : tokens;
  return {
    totalTokens: input + output,
    inputTokens: input,
    cachedInputTokens: cached,
    cacheWriteInputTokens: 0,
    outputTokens: output,
    reasoningOutputTokens: reasoning,
  };
}

export function addTokens(a: TokenCount, b: TokenCount): TokenCount {
  return {
    totalTokens: a.totalTokens + b.totalTokens,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningOutputTokens: a.reasoningOutputTokens + b.reasoningOutputTokens,
  };
}

/** The `tokenUsage` of a notification; the window is that of the recorded model. */
export function tokenUsage(total: TokenCount, last: TokenCount) {
  return {total, last, modelContextWindow: 258_400};
}
