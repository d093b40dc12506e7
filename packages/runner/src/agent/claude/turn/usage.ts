import type {ModelUsage, Usage} from '@symphony-supervisor/protocol';
import {type Loose, loose, numberOrNull, text} from '@symphony-supervisor/protocol/transcript';
import type {TokenMeter} from '../../token-meter.ts';

/** More than any account has; beyond it sums would no longer be exact, and the schemas would refuse them. */
const MAX_TOKENS = 1e12;

/**
 * What a session uses. Each result says what was used since the last one, by model, helpers included: that is counted.
 * Totals are not: after a SIGKILL they begin at zero again, and after an orderly end they go on. Until the result of a
 * turn is there, what its messages say stands for it, which is less than the whole.
 */
export class UsageCounter {
  readonly #meter: TokenMeter;
  readonly #threadId: string;
  readonly #results = new Set<string>();
  readonly #messages = new Map<string, ModelUsage>();

  constructor(meter: TokenMeter, threadId: string) {
    this.#meter = meter;
    this.#threadId = threadId;
  }

  /** Whether messages came that no result covers. */
  get isPartial(): boolean {
    return this.#messages.size > 0;
  }

  /** A message of the model. Several have the same id: the last one knows most. */
  message(message: Loose): void {
    const {id, model, usage, stop_reason} = loose(message.message);
    if (text(id) === '' || model === '<synthetic>') return;
    // What it says of its output is known only when it has stopped.
    const known = stop_reason === null ? {...loose(usage), output_tokens: 0} : loose(usage);
    this.#messages.set(text(id), {model: text(model) || null, usage: messageUsage(known)});
    this.#meter.soFar(this.#threadId, [...this.#messages.values()]);
  }

  /** Returns the models that were used. A result that comes twice counts once. */
  result(result: Loose, model: string | null): readonly (string | null)[] {
    const id = text(result.uuid);
    if (id !== '' && this.#results.has(id)) return [];
    this.#results.add(id);
    this.#messages.clear();
    this.#meter.soFar(this.#threadId, []);
    const used = sinceLastResult(result, model).filter(({usage}) => usage.total_tokens > 0);
    for (const {model: name, usage} of used) this.#meter.more(this.#threadId, usage, name);
    return used.map(({model: name}) => name);
  }
}

function sinceLastResult(result: Loose, model: string | null): readonly ModelUsage[] {
  const given = result.model_usage_since_last_result;
  // Older versions tell only what the turn itself used, without helpers.
  if (given === undefined) return [{model, usage: messageUsage(loose(result.usage))}];
  return Object.entries(loose(given)).map(([name, used]) => {
    const {inputTokens, cacheReadInputTokens, cacheCreationInputTokens} = loose(used);
    const {outputTokens, thinkingTokens} = loose(used);
    return {
      model: name,
      usage: usageOf(inputTokens, cacheReadInputTokens, cacheCreationInputTokens, {
        output: outputTokens,
        reasoning: thinkingTokens,
      }),
    };
  });
}

function messageUsage(usage: Loose): Usage {
  const {input_tokens, cache_read_input_tokens, cache_creation_input_tokens} = usage;
  return usageOf(input_tokens, cache_read_input_tokens, cache_creation_input_tokens, {
    output: usage.output_tokens,
    reasoning: loose(usage.output_tokens_details).thinking_tokens,
  });
}

/** Their input leaves out what came from the cache or went into it; ours includes it. */
function usageOf(
  uncached: unknown,
  cacheRead: unknown,
  cacheWritten: unknown,
  out: {readonly output: unknown; readonly reasoning: unknown},
): Usage {
  const cached = count(cacheRead);
  const input = count(uncached) + cached + count(cacheWritten);
  const output = count(out.output);
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    reasoning_output_tokens: Math.min(count(out.reasoning), output),
    total_tokens: input + output,
  };
}

function count(value: unknown): number {
  const tokens = Math.round(numberOrNull(value) ?? 0);
  return tokens >= 0 && tokens <= MAX_TOKENS ? tokens : 0;
}
