import type {ToolSpec} from '@symphony-supervisor/protocol';
import type {SessionOptions} from '../agent.ts';
import type {LiveTurn} from '../live-turn.ts';
import {ToolServer} from '../mcp/http-server.ts';
import {PROXY_PROGRAM, PROXY_TOKEN, PROXY_URL} from '../mcp/stdio-proxy.ts';
import {namesOf} from './permissions.ts';

/** The name under which the tools of a run reach the agent. */
const SERVER_NAME = 'symphony';

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A server of tools in the words of the protocol. */
export type McpServerEntry = {readonly name: string} & (
  | {readonly type: 'http'; readonly url: string; readonly headers: readonly NamedValue[]}
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly NamedValue[];
    }
);

/** A server for the tools of this run. While a call is carried out, the silence of the turn is ours. */
export function listenForCalls(
  {job, callTool, progress}: Pick<SessionOptions, 'job' | 'callTool' | 'progress'>,
  turnOf: () => Pick<LiveTurn<unknown>, 'whileWaitingForUs'> | null,
): Promise<ToolServer> {
  return ToolServer.listen({
    tools: job.tools,
    callTool: (name, args) => {
      const call = () => callTool(name, args);
      return turnOf()?.whileWaitingForUs(call) ?? call();
    },
    onUnknownTool: (name) => progress.note('unsupported_tool_call', name),
  });
}

/** The entry of the tool server in a request that opens a conversation. */
export function serverEntry({url, token}: ToolServer, reachesHttp: boolean): McpServerEntry {
  if (reachesHttp) {
    const headers = [{name: 'Authorization', value: `Bearer ${token}`}];
    return {type: 'http', name: SERVER_NAME, url, headers};
  }
  return {
    name: SERVER_NAME,
    command: process.execPath,
    args: ['-e', PROXY_PROGRAM],
    env: [
      {name: PROXY_URL, value: url},
      {name: PROXY_TOKEN, value: token},
    ],
  };
}

/** All that an agent may call the tools of this run. */
export function ownToolNames(tools: readonly ToolSpec[]): ReadonlySet<string> {
  return new Set(tools.flatMap(({name}) => namesOf(SERVER_NAME, name)));
}
