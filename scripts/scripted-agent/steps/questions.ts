import {fieldsOf} from '../json.ts';
import type {CodexStage, Performers} from '../script/stage.ts';
import {dynamicToolCall} from '../server/items.ts';
import type {Thread} from '../server/thread.ts';
import type {Answer} from '../server/wire.ts';

/** Requests to the client other than approvals of a command or a change; all wait for the answer. */
export const questions: Performers<
  'tool' | 'permissions' | 'question' | 'elicit' | 'request',
  CodexStage
> = {
  async tool({tool, arguments: args = {}, namespace = null, expect, tokens}, {turn}) {
    // The real server never passes on a call of a tool that was not offered; a test may want just that.
    if (!isOffered(turn.thread, tool)) note(`tool "${tool}" was not offered`);
    const call = {namespace, tool, arguments: args};
    const item = dynamicToolCall(turn.thread.nextItemId('call'), call);
    turn.owe(tokens);
    turn.start(item);
    const answer = await turn.until(
      turn.request('item/tool/call', {callId: item.id, ...call}).answer,
    );
    const {contentItems, success} = outcomeOf(answer);
    turn.finish(item, {
      status: success ? 'completed' : 'failed',
      contentItems,
      success,
      durationMs: Date.now() - item.startedAtMs,
    });
    if (expect !== undefined) {
      const met = JSON.stringify(answer).includes(expect) ? 'met' : 'NOT met';
      note(`tool "${tool}": expectation "${expect}" ${met}: ${JSON.stringify(answer)}`);
    }
    turn.pay();
    return answer;
  },

  async permissions({permissions, reason = null, tokens}, {turn}) {
    turn.owe(tokens);
    const answer = await turn.askClient('waitingOnApproval', 'item/permissions/requestApproval', {
      itemId: turn.thread.nextItemId('call'),
      environmentId: 'local',
      startedAtMs: Date.now(),
      cwd: turn.thread.record.cwd,
      reason,
      permissions: {network: null, fileSystem: null, ...permissions},
    });
    turn.pay();
    return answer;
  },

  async question({question, options = [], id = 'question', tokens}, {turn}) {
    turn.owe(tokens);
    const answer = await turn.askClient('waitingOnUserInput', 'item/tool/requestUserInput', {
      itemId: turn.thread.nextItemId('call'),
      questions: [
        {
          id,
          header: 'Question',
          question,
          isOther: true,
          isSecret: false,
          options: options.map((label) => ({label, description: ''})),
        },
      ],
      isBlocking: true,
      autoResolutionMs: null,
    });
    turn.pay();
    return answer;
  },

  async elicit({elicit: message, server = 'scripted', schema, meta = null, tokens}, {turn}) {
    turn.owe(tokens);
    const answer = await turn.askClient('waitingOnApproval', 'mcpServer/elicitation/request', {
      serverName: server,
      mode: 'form',
      _meta: meta,
      message,
      requestedSchema: schema ?? {type: 'object', properties: {}},
    });
    turn.pay();
    return answer;
  },

  request({request: method, params = {}}, {turn}) {
    return turn.until(turn.request(method, params).answer);
  },
};

function outcomeOf(answer: Answer): {contentItems: unknown; success: boolean} {
  if ('error' in answer) {
    const text = 'dynamic tool request failed';
    return {contentItems: [{type: 'inputText', text}], success: false};
  }
  const {contentItems = [], success} = answer.result;
  return {contentItems, success: success === true};
}

function isOffered(thread: Thread, tool: string): boolean {
  const offered = thread.record.dynamicTools.map(fieldsOf);
  return [...offered, ...offered.flatMap(toolsIn)].some(({name}) => name === tool);
}

function toolsIn({tools}: {readonly tools?: unknown}) {
  return Array.isArray(tools) ? tools.map(fieldsOf) : [];
}

function note(text: string): void {
  process.stderr.write(`scripted-agent: ${text}\n`);
}
