import {type Fields, fieldsOf} from '../json.ts';
import {toolCallOf} from './asked.ts';

/** US dollars for a token, so that costs grow with what is used. */
const PRICE = 1e-6;

const TOOL_CALLS: readonly unknown[] = ['commandExecution', 'fileChange', 'dynamicToolCall'];

/** What agents of this protocol tell of a notification of the steps; null: nothing, as of retries. */
export function updateOf(method: string, params: Fields): object | null {
  const item = fieldsOf(params.item);
  switch (method) {
    case 'item/agentMessage/delta':
      return chunk('agent_message_chunk', params);
    case 'item/reasoning/summaryTextDelta':
      return chunk('agent_thought_chunk', params);
    case 'item/started':
      if (!TOOL_CALLS.includes(item.type)) return null;
      return {sessionUpdate: 'tool_call', ...toolCallOf(item), status: 'in_progress'};
    case 'item/completed':
      return TOOL_CALLS.includes(item.type) ? ended(item) : null;
    case 'thread/tokenUsage/updated': {
      const {total, last} = fieldsOf(params.tokenUsage);
      const amount = Number(fieldsOf(total).totalTokens) * PRICE;
      const used = Number(fieldsOf(last).totalTokens);
      return {sessionUpdate: 'usage_update', used, size: 200_000, cost: {amount, currency: 'USD'}};
    }
    default:
      return null;
  }
}

function chunk(sessionUpdate: string, {itemId: messageId, delta: text}: Fields): object {
  return {sessionUpdate, messageId, content: {type: 'text', text}};
}

function ended(item: Fields): object {
  const output = item.aggregatedOutput ?? textOf(item.contentItems);
  const content = output === null ? [] : [{type: 'content', content: {type: 'text', text: output}}];
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: item.id,
    status: item.status === 'completed' ? 'completed' : 'failed',
    ...(item.type === 'fileChange' ? {} : {content}),
    rawOutput: {output, metadata: {exit: item.exitCode}},
  };
}

function textOf(contentItems: unknown): unknown {
  const [first] = Array.isArray(contentItems) ? contentItems : [];
  return fieldsOf(first).text ?? null;
}
