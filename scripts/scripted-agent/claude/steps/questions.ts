import {fieldsOf} from '../../json.ts';
import type {Performers} from '../../script/stage.ts';
import {mcp} from '../mcp.ts';
import type {ClaudeStage} from '../repertoire.ts';
import {isAllowed} from './permission.ts';

/** Requests to the client other than approvals of a command or a change; all wait for the answer. */
export const questions: Performers<
  'tool' | 'permissions' | 'question' | 'elicit' | 'request',
  ClaudeStage
> = {
  async tool({tool, arguments: args = {}, namespace, expect, tokens}, {turn, host}) {
    const server = namespace ?? host.servers[0] ?? 'none';
    const name = `mcp__${server}__${tool}`;
    const id = turn.callTool(name, args, tokens);
    // The original never passes on a call of a tool that was not offered; a test may want just that.
    if (!host.tools.includes(name)) note(`tool "${tool}" was not offered`);
    const call = {name: tool, arguments: args, _meta: {'claudecode/toolUseId': id}};
    const answer = await turn.until(mcp(host, server, 'tools/call', call));
    const {content = JSON.stringify(answer), isError} = fieldsOf(answer.result);
    turn.toolResult(id, content, {}, isError === true);
    if (expect !== undefined) {
      const met = JSON.stringify(answer).includes(expect) ? 'met' : 'NOT met';
      note(`tool "${tool}": expectation "${expect}" ${met}: ${JSON.stringify(answer)}`);
    }
    return answer;
  },

  async permissions({permissions, reason, tokens}, {turn}) {
    const id = turn.callTool('WebFetch', permissions, tokens);
    return isAllowed(turn, 'WebFetch', id, permissions, reason ?? true);
  },

  async question({question, options = [], id: header = 'Question', tokens}, {turn}) {
    const input = {
      questions: [
        {
          question,
          header,
          multiSelect: false,
          options: options.map((label) => ({label, description: ''})),
        },
      ],
    };
    const id = turn.callTool('AskUserQuestion', input, tokens);
    return isAllowed(turn, 'AskUserQuestion', id, input, {requires_user_interaction: true});
  },

  elicit({elicit: message, server = 'scripted', schema = {}}, {turn, host}) {
    const request = {subtype: 'elicitation', mcp_server_name: server, message};
    return turn.until(host.request({...request, requested_schema: schema}));
  },

  request({request: subtype, params = {}}, {turn, host}) {
    return turn.until(host.request({subtype, ...params}));
  },
};

function note(text: string): void {
  process.stderr.write(`scripted-agent: ${text}\n`);
}
