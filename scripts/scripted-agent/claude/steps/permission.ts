import type {Fields} from '../../json.ts';
import type {ClaudeTurn} from '../claude-turn.ts';

/** Asks the client before a tool is used. A refusal is the tool's result, or ends the turn. */
export async function isAllowed(
  turn: ClaudeTurn,
  tool_name: string,
  tool_use_id: string,
  input: Fields,
  ask: true | string | Fields,
): Promise<boolean> {
  const more = typeof ask === 'object' ? ask : {};
  const reason = typeof ask === 'string' ? {decision_reason: ask} : {};
  const request = {subtype: 'can_use_tool', tool_name, input, tool_use_id, ...reason, ...more};
  const answer = await turn.until(turn.host.request(request));
  if ('response' in answer && answer.response.behavior === 'allow') return true;
  const {message = 'refused', interrupt = false} =
    'response' in answer ? answer.response : {message: answer.error};
  const meta = {tool_result_meta: [{id: tool_use_id, non_execution_kind: 'permission-rule'}]};
  turn.toolResult(tool_use_id, message, meta, true);
  if (interrupt === true) turn.end('interrupted');
  return false;
}
