import type {ToolResult, ToolSpec} from '@symphony-supervisor/protocol';
import * as z from 'zod/mini';

/** The tools of one run, as an MCP server offers them. */
export interface OfferedTools {
  readonly tools: readonly ToolSpec[];
  readonly callTool: (name: string, args: unknown) => Promise<ToolResult>;
  /** The agent called a tool that this run does not offer. */
  readonly onUnknownTool: (name: string) => void;
}

/** Versions of the protocol whose handshake and tool calls have the form that we use; the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INVALID_REQUEST = -32600;

const Message = z.looseObject({
  id: z.optional(z.union([z.string(), z.number()])),
  method: z.string(),
  params: z.optional(z.unknown()),
});
const Initialize = z.looseObject({protocolVersion: z.string()});
const Call = z.looseObject({name: z.string(), arguments: z.optional(z.unknown())});

/**
 * Answers one message of an MCP client. The transport is the caller's: the agent's own pipe, or HTTP on loopback.
 * null: the message was a notification, which has no answer.
 */
export async function answerMcp(message: unknown, offered: OfferedTools): Promise<object | null> {
  const parsed = Message.safeParse(message);
  if (!parsed.success) return failed(null, INVALID_REQUEST, 'this is no JSON-RPC request');
  const {id, method, params} = parsed.data;
  if (id === undefined) return null;
  switch (method) {
    case 'initialize':
      return succeeded(id, {
        protocolVersion: versionFor(params),
        capabilities: {tools: {}},
        serverInfo: {name: 'symphony', version: '1'},
      });
    case 'ping':
      return succeeded(id, {});
    case 'tools/list':
      return succeeded(id, {
        tools: offered.tools.map(({name, description, input_schema}) => ({
          ...{name, description, inputSchema: input_schema},
        })),
      });
    case 'tools/call': {
      const call = Call.safeParse(params);
      if (!call.success) return failed(id, INVALID_PARAMS, 'a call needs the name of a tool');
      return succeeded(id, await resultOf(call.data.name, call.data.arguments ?? {}, offered));
    }
    default:
      return failed(id, METHOD_NOT_FOUND, `there is no method ${method}`);
  }
}

/** The client's own version if we know it; else it decides whether it can speak our newest. */
function versionFor(params: unknown): string {
  const wanted = Initialize.safeParse(params).data?.protocolVersion ?? '';
  return VERSIONS.includes(wanted) ? wanted : (VERSIONS[0] ?? wanted);
}

/** A failed call is a result that the agent reads, so its turn goes on. */
async function resultOf(name: string, args: unknown, offered: OfferedTools): Promise<object> {
  if (!offered.tools.some((tool) => tool.name === name)) {
    offered.onUnknownTool(name);
    return toolResult(false, {error: `there is no tool called ${name}`});
  }
  const {success, content} = await offered.callTool(name, args);
  return toolResult(success, content);
}

function toolResult(success: boolean, content: unknown): object {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return {content: [{type: 'text', text}], isError: !success};
}

function succeeded(id: string | number, result: object): object {
  return {jsonrpc: '2.0', id, result};
}

function failed(id: string | number | null, code: number, message: string): object {
  return {jsonrpc: '2.0', id, error: {code, message}};
}
