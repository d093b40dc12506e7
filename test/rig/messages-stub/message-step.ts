/** What the model says that a request has cost. An agent adds these up. */
export interface MessageUsage {
  /** Without what was read from or written to the cache. */
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** The cost of every answer that does not name its own, so that a test can multiply. */
export const MESSAGE_USAGE: MessageUsage = {input: 100, cacheWrite: 20, cacheRead: 30, output: 50};

export const FREE: MessageUsage = {input: 0, cacheWrite: 0, cacheRead: 0, output: 0};

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';

/** One content block of an answer. */
export type Block =
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'thinking'; readonly thinking: string}
  | {readonly type: 'tool_use'; readonly name: string; readonly input: unknown};

/** One answer of the model to one request. A turn is a list of them; all but the last call a tool. */
export type MessageStep =
  | {
      readonly is: 'message';
      readonly blocks: readonly Block[];
      readonly stopReason: StopReason;
      /** Pause after each word of a text: long enough to interrupt within a message. */
      readonly gapMs: number;
      readonly usage: MessageUsage;
    }
  | {
      readonly is: 'http-error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** A stream that begins well and ends in an `error` event. */
  | {readonly is: 'error-event'; readonly type: string; readonly message: string}
  /** A stream that breaks off within a message. */
  | {readonly is: 'cut'}
  /** The connection is reset before there is an answer. */
  | {readonly is: 'reset'}
  /** The request is never answered. */
  | {readonly is: 'hang'};

interface Cost {
  readonly usage?: MessageUsage;
}

/** An assistant message; ends the turn. */
export function say(
  text: string,
  options: Cost & {readonly thinking?: string; readonly gapMs?: number} = {},
): MessageStep {
  const {thinking, gapMs = 0, usage = MESSAGE_USAGE} = options;
  const thoughts: Block[] = thinking === undefined ? [] : [{type: 'thinking', thinking}];
  return {
    ...{is: 'message', stopReason: 'end_turn', gapMs, usage},
    blocks: [...thoughts, {type: 'text', text}],
  };
}

/** A tool by name, declared or not, after a text if there is one. */
export function useTool(
  name: string,
  input: unknown = {},
  options: Cost & {readonly text?: string} = {},
): MessageStep {
  const {text, usage = MESSAGE_USAGE} = options;
  const words: Block[] = text === undefined ? [] : [{type: 'text', text}];
  return {
    ...{is: 'message', stopReason: 'tool_use', gapMs: 0, usage},
    blocks: [...words, {type: 'tool_use', name, input}],
  };
}

/** An answer that the model did not finish, for want of room or because it must not. */
export function stopsBy(
  stopReason: 'max_tokens' | 'refusal',
  text: string,
  {usage = MESSAGE_USAGE}: Cost = {},
): MessageStep {
  return {is: 'message', stopReason, gapMs: 0, usage, blocks: [{type: 'text', text}]};
}

/** The `type` that the API gives to each status. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** An error instead of an answer. Agents try some of them again; see `outlastsRetries`. */
export function httpError(
  status: number,
  options: {readonly message?: string; readonly retryAfterS?: number} = {},
): MessageStep {
  const {message = `stub: scripted ${status}`, retryAfterS} = options;
  return {
    ...{is: 'http-error', status, message, type: ERROR_TYPES[status] ?? 'api_error'},
    headers: retryAfterS === undefined ? {} : {'retry-after': String(retryAfterS)},
  };
}

/** The API's words, by which agents know it. */
export function promptTooLong(): MessageStep {
  return httpError(400, {message: 'prompt is too long: 210000 tokens > 200000 maximum'});
}

export function errorEvent(type = 'overloaded_error', message = 'Overloaded'): MessageStep {
  return {is: 'error-event', type, message};
}

export function cut(): MessageStep {
  return {is: 'cut'};
}

export function reset(): MessageStep {
  return {is: 'reset'};
}

export function hang(): MessageStep {
  return {is: 'hang'};
}

/**
 * Agents repeat a request that went wrong, and ask again after an unfinished answer. So a failure that
 * is the last step of its turn is played for every further request of that turn. A failure that is
 * followed by another step is played once.
 */
export function outlastsRetries(step: MessageStep): boolean {
  return step.is !== 'message' || step.stopReason === 'max_tokens' || step.stopReason === 'refusal';
}
