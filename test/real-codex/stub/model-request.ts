import type {IncomingHttpHeaders} from 'node:http';

/** A tool as a request declares it, out of its namespace if it was in one. */
export interface DeclaredTool {
  readonly type: string;
  readonly name: string;
  readonly namespace: string | null;
}

/** One item of the conversation that Codex sends along. */
export interface InputItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: string | readonly {readonly text?: string}[];
  readonly call_id?: string;
  readonly output?: unknown;
  readonly tools?: readonly RawTool[];
}

/** The part of a request to `/v1/responses` that tests look at. */
export interface RequestBody {
  readonly model: string;
  readonly input: readonly InputItem[];
  readonly tools?: readonly RawTool[];
  readonly reasoning?: {readonly effort?: string} | null;
}

interface RawTool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly RawTool[];
}

/** A request of Codex to the model, with what a test asks of it worked out. */
export interface ModelRequest {
  /** 0 for the first that the stub got. */
  readonly index: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
  readonly threadId: string | null;
  /** null for requests that Codex makes outside a turn. */
  readonly turnId: string | null;
  /** All texts of the last message that a person (that is: the supervisor) wrote. */
  readonly prompt: string;
  /** What tools returned since then, oldest first. */
  readonly toolOutputs: readonly string[];
  readonly tools: readonly DeclaredTool[];
}

export function modelRequest(
  index: number,
  headers: IncomingHttpHeaders,
  body: RequestBody,
): ModelRequest {
  const metadata = turnMetadata(headers);
  const promptAt = body.input.findLastIndex(isPrompt);
  return {
    index,
    headers,
    body,
    threadId: metadata.thread_id ?? null,
    turnId: metadata.turn_id ?? null,
    prompt: textOf(body.input[promptAt]),
    toolOutputs: body.input
      .slice(promptAt + 1)
      .filter(({type}) => type.endsWith('_output'))
      .map(({output}) => (typeof output === 'string' ? output : JSON.stringify(output))),
    tools: declaredTools(body),
  };
}

/** Codex says in a header which turn a request belongs to; the body does not tell. */
function turnMetadata(headers: IncomingHttpHeaders): {thread_id?: string; turn_id?: string} {
  const header = headers['x-codex-turn-metadata'];
  return typeof header === 'string' ? JSON.parse(header) : {};
}

/** Codex puts remarks of its own into the mouth of the user. */
const REMARK = /^\s*(<(environment_context|user_instructions|turn_aborted)>|# AGENTS\.md )/;

function isPrompt(item: InputItem): boolean {
  return item.type === 'message' && item.role === 'user' && !REMARK.test(textOf(item));
}

function textOf(item: InputItem | undefined): string {
  const content = item?.content ?? '';
  return typeof content === 'string' ? content : content.map(({text}) => text ?? '').join('');
}

/** Newer models get some of their tools as an item of the conversation. */
function declaredTools(body: RequestBody): DeclaredTool[] {
  const inConversation = body.input.flatMap(({type, tools}) =>
    type === 'additional_tools' ? (tools ?? []) : [],
  );
  return [...(body.tools ?? []), ...inConversation].flatMap((declared) => flatten(declared, null));
}

function flatten({type, name, tools}: RawTool, namespace: string | null): DeclaredTool[] {
  if (tools !== undefined) return tools.flatMap((inner) => flatten(inner, name ?? null));
  return [{type, name: name ?? type, namespace}];
}
