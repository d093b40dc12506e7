import {uuidV7} from '../ids.ts';
import {type Fields, fieldsOf} from '../json.ts';
import type {ClaudeHost} from './claude-host.ts';

/** A message to the client's tool server. */
export async function mcp(
  host: ClaudeHost,
  server_name: string,
  method: string,
  params: Fields,
): Promise<Fields> {
  const message = {jsonrpc: '2.0', id: uuidV7(), method, params};
  const answer = await host.request({subtype: 'mcp_message', server_name, message});
  return 'error' in answer ? {error: answer.error} : fieldsOf(answer.response.mcp_response);
}

export async function listTools(host: ClaudeHost): Promise<void> {
  for (const name of host.servers) {
    const {result} = await mcp(host, name, 'tools/list', {});
    const {tools} = fieldsOf(result);
    const names = Array.isArray(tools) ? tools.map((tool) => String(fieldsOf(tool).name)) : [];
    host.tools = [...host.tools, ...names.map((tool) => `mcp__${name}__${tool}`)];
  }
}
