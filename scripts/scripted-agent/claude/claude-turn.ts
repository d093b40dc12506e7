import {uuidV7} from '../ids.ts';
import type {Fields} from '../json.ts';
import {PlayedTurn, type TurnStatus} from '../script/played-turn.ts';
import {
  addTokens,
  countOf,
  NO_TOKENS,
  type TokenCount,
  type Tokens,
  USUAL_COST,
} from '../server/tokens.ts';
import type {ClaudeHost} from './claude-host.ts';

/** What the model's server said, in the words of the original. */
export interface ModelError {
  readonly error: string;
  readonly status: number | null;
  readonly terminal: string;
}

/** One turn, from the client's message to its result. */
export class ClaudeTurn extends PlayedTurn {
  override readonly id: string;
  override readonly cwd = process.cwd();
  readonly host: ClaudeHost;
  #spent: TokenCount = NO_TOKENS;
  #lastText = '';

  /** `id` is the client's own for its message. */
  constructor(host: ClaudeHost, id: string | null) {
    super();
    this.host = host;
    this.id = id ?? uuidV7();
  }

  override get marks(): Readonly<Record<string, string>> {
    return {CLAUDE_CODE_SESSION_ID: this.host.sessionId, CLAUDECODE: '1'};
  }

  begin(): void {
    const {host} = this;
    host.store.save(host.sessionId, host.store.totalOf(host.sessionId));
    host.say({type: 'command_lifecycle', command_uuid: this.id, state: 'started'});
    host.say({
      type: 'system',
      subtype: 'init',
      cwd: this.cwd,
      tools: ['AskUserQuestion', 'Bash', 'Edit', 'Read', 'Write', ...host.tools],
      mcp_servers: host.servers.map((name) => ({name, status: 'connected', source: 'sdk'})),
      model: host.flags.model,
      permissionMode: host.flags.permissionMode,
      apiKeySource: 'ANTHROPIC_API_KEY',
      claude_code_version: VERSION,
      output_style: 'default',
    });
  }

  /** A message that came while the turn runs gets no result of its own. */
  steer(): void {
    this.cut();
  }

  /** One block of the model's answer. */
  block(block: Fields, tokens: Tokens = 0): void {
    const count = countOf(tokens);
    this.host.say({
      type: 'assistant',
      message: {
        id: `msg_${uuidV7()}`,
        type: 'message',
        role: 'assistant',
        model: this.host.flags.model,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: count.inputTokens - count.cachedInputTokens,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: count.cachedInputTokens,
          output_tokens: Math.min(1, count.outputTokens),
        },
      },
      parent_tool_use_id: null,
    });
    if (typeof block.text === 'string') this.#lastText = block.text;
    this.spend(tokens);
  }

  /** Returns the id of the call. */
  callTool(name: string, input: unknown, tokens: Tokens = USUAL_COST): string {
    const id = `toolu_${uuidV7()}`;
    this.block({type: 'tool_use', id, name, input}, tokens);
    return id;
  }

  toolResult(id: string, content: unknown, more: Fields = {}, isError = false): void {
    const block = {type: 'tool_result', tool_use_id: id, content, is_error: isError};
    const message = {role: 'user', content: [block]};
    this.host.say({type: 'user', message, parent_tool_use_id: null, ...more});
  }

  spend(tokens: Tokens = USUAL_COST): void {
    this.#spent = addTokens(this.#spent, countOf(tokens));
  }

  /** The turn's end; the first one counts. A failure is told as a success that is an error, as by the original. */
  end(
    status: Exclude<TurnStatus, 'inProgress'>,
    failure: (ModelError & {text: string}) | null = null,
  ): void {
    if (this.isOver) return;
    this.settle(status);
    const {host} = this;
    if (failure !== null) this.#synthetic(failure);
    const isAborted = status === 'interrupted';
    const used = {[host.flags.model]: usage(this.#spent)};
    const total = host.count(this.#spent);
    host.say({
      type: 'result',
      subtype: isAborted ? 'error_during_execution' : 'success',
      is_error: failure !== null || isAborted,
      terminal_reason: failure?.terminal ?? (isAborted ? 'aborted_tools' : 'completed'),
      api_error_status: failure?.status ?? null,
      ...(isAborted ? {errors: ['interrupted']} : {result: failure?.text ?? this.#lastText}),
      num_turns: 1,
      stop_reason: 'end_turn',
      modelUsage: {[host.flags.model]: usage(total)},
      model_usage_since_last_result: this.#spent.totalTokens === 0 ? {} : used,
      total_cost_usd: total.totalTokens / 1_000_000,
      permission_denials: [],
      queued_turn_count: 0,
      result_index: host.results++,
      user_message_uuid: this.id,
      user_message_uuids: [this.id],
    });
    host.turnEnded();
    this.giveUp();
  }

  #synthetic({error, text}: ModelError & {text: string}): void {
    this.host.say({
      type: 'assistant',
      message: {
        id: `msg_${uuidV7()}`,
        role: 'assistant',
        model: '<synthetic>',
        content: [{type: 'text', text}],
        stop_reason: 'stop_sequence',
        usage: {input_tokens: 0, output_tokens: 0},
      },
      parent_tool_use_id: null,
      error,
    });
  }
}

/** The version of the original whose habits are imitated. */
export const VERSION = '2.1.326';

function usage(count: TokenCount): Fields {
  return {
    inputTokens: count.inputTokens - count.cachedInputTokens,
    outputTokens: count.outputTokens,
    cacheReadInputTokens: count.cachedInputTokens,
    cacheCreationInputTokens: 0,
    thinkingTokens: count.reasoningOutputTokens,
    costUSD: count.totalTokens / 1_000_000,
  };
}
