import type {IncomingHttpHeaders} from 'node:http';
import type {RawRequest} from '../model-stub/model-stub.ts';

interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}

/** One message of the conversation that the agent sends along. */
export interface HistoryMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly ContentBlock[];
}

/** The part of a request to `/v1/messages` that the stub and tests look at. */
export interface MessagesBody {
  readonly model: string;
  readonly messages: readonly HistoryMessage[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly tools?: readonly {readonly name: string}[];
}

export interface ToolResult {
  readonly id: string;
  readonly isError: boolean;
  readonly text: string;
}

/** A request of an agent to the model, with what a test asks of it worked out. */
export interface MessagesRequest {
  /** 0 for the first that the stub got. */
  readonly index: number;
  /** Without those that carry a secret. */
  readonly headers: IncomingHttpHeaders;
  /** How the agent said who it is; the secret itself is not kept. */
  readonly credential: 'api-key' | 'bearer' | null;
  readonly body: MessagesBody;
  readonly tools: readonly string[];
  /** Claude Code says in a header which session a request belongs to; null for other agents. */
  readonly sessionId: string | null;
  /** All that a person (that is: the supervisor) wrote, in order. A turn that failed leaves its prompt there. */
  readonly prompts: readonly string[];
  /** The last of them. */
  readonly prompt: string;
  /** What tools returned since then, oldest first. */
  readonly toolResults: readonly ToolResult[];
  /** A title, a quota, a summary: the agent's own, no part of the conversation. */
  readonly isSideCall: boolean;
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['x-api-key', 'authorization', 'cookie']);

export function messagesRequest({index, headers, body: bytes}: RawRequest): MessagesRequest {
  const body: MessagesBody = JSON.parse(bytes.toString('utf8'));
  const prompts = body.messages.flatMap(promptsIn);
  const turnAt = body.messages.findLastIndex((message) => promptsIn(message).length > 0);
  const sessionId = headers['x-claude-code-session-id'];
  const tools = (body.tools ?? []).map(({name}) => name);
  return {
    index,
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => !SECRET_HEADERS.has(name)),
    ),
    credential:
      headers['x-api-key'] !== undefined
        ? 'api-key'
        : headers.authorization !== undefined
          ? 'bearer'
          : null,
    body,
    tools,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    prompts,
    prompt: prompts.at(-1) ?? '',
    toolResults: toolResultsIn(body.messages.slice(Math.max(turnAt, 0))),
    // A conversation has tools to work with, and more room for its answer than a quota check.
    isSideCall: tools.length === 0 || body.max_tokens === 1 || SUMMARY.test(prompts.at(-1) ?? ''),
  };
}

/** What Claude Code asks for when a conversation is too long to go on. */
const SUMMARY = /Your task is to create a detailed summary of (the|this) conversation/;

/** Agents put remarks of their own into the mouth of the user. */
const REMARK = new RegExp(
  [
    '^\\s*<(system-reminder|local-command|command-)',
    '^\\[Request interrupted by user',
    '^\\[Your previous response had no visible output',
    '^Output token limit hit\\.',
    '^Your response above was stopped by a safety classifier',
  ].join('|'),
);

function promptsIn({role, content}: HistoryMessage): string[] {
  if (role !== 'user') return [];
  return textsOf(content).filter((text) => text !== '' && !REMARK.test(text));
}

function textsOf(content: HistoryMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap(({type, text}) => (type === 'text' ? [text ?? ''] : []));
}

function toolResultsIn(messages: readonly HistoryMessage[]): ToolResult[] {
  return messages.flatMap(({content}) => {
    if (typeof content === 'string') return [];
    return content
      .filter(({type}) => type === 'tool_result')
      .map((block) => ({
        id: block.tool_use_id ?? '',
        isError: block.is_error === true,
        text: resultText(block.content),
      }));
  });
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  return textsOf(content).join('\n');
}
