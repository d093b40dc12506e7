import {
  type AgentLine,
  cutText,
  type PlanStep,
  type StreamedItem,
} from '../../transcript/agent-line.ts';
import {type Loose, list, loose, numberOrNull, text, textOrNull} from '../../transcript/loose.ts';
import {itemLine} from './item-line.ts';

/** What a message of Codex says that a person should see; null for the hum of the protocol. */
export function lineOf(method: string, params: Loose): AgentLine | null {
  switch (method) {
    case 'item/started':
    case 'item/completed':
      return itemLine(loose(params.item), method === 'item/completed');
    case 'turn/plan/updated':
      return {
        ev: 'plan',
        steps: list(params.plan).map((step) => planStep(loose(step))),
        explanation: textOrNull(params.explanation),
      };
    case 'thread/tokenUsage/updated': {
      const total = numberOrNull(loose(loose(params.tokenUsage).total).totalTokens);
      return total === null ? null : {ev: 'usage', model: null, total_tokens: total};
    }
    case 'error': {
      const error = loose(params.error);
      const said = [error.message, error.additionalDetails].map(textOrNull).filter(Boolean);
      return {
        ev: 'notice',
        level: params.willRetry === true ? 'warn' : 'error',
        text: cutText(said.join('\n')),
      };
    }
    case 'warning':
    case 'configWarning':
    case 'deprecationNotice':
      return {
        ev: 'notice',
        level: 'warn',
        text: cutText(text(params.message) || text(params.summary)),
      };
    case 'thread/compacted':
      return {ev: 'notice', level: 'info', text: 'the conversation was compacted'};
    default:
      return questionOf(method, params);
  }
}

/** What streams of text are pieces of; null for those that are not shown. */
export function streamOf(method: string): StreamedItem | null {
  if (method.startsWith('item/commandExecution/')) return 'command';
  if (method.startsWith('item/agentMessage/') || method.startsWith('item/plan/')) return 'message';
  return method.startsWith('item/reasoning/') ? 'reasoning' : null;
}

function planStep(step: Loose): PlanStep {
  const {status} = step;
  return {
    step: cutText(text(step.step)),
    status:
      status === 'completed' ? 'completed' : status === 'inProgress' ? 'in_progress' : 'pending',
  };
}

/** A request by which the agent asks a person. */
function questionOf(method: string, params: Loose): AgentLine | null {
  switch (method) {
    case 'item/tool/requestUserInput':
      return userInput(params);
    case 'mcpServer/elicitation/request':
      return {ev: 'question', text: cutText(text(params.message)), options: []};
    case 'item/commandExecution/requestApproval':
      return asks(`may it run: ${text(params.command)}`, params);
    case 'item/fileChange/requestApproval':
      return asks('may it change files outside its workspace', params);
    case 'item/permissions/requestApproval':
      return asks('may it have more permissions', params);
    default:
      return null;
  }
}

function asks(what: string, params: Loose): AgentLine {
  const reason = textOrNull(params.reason);
  const said = reason === null ? what : `${what}\n${reason}`;
  return {ev: 'question', text: cutText(said), options: []};
}

function userInput(params: Loose): AgentLine {
  const questions = list(params.questions).map(loose);
  return {
    ev: 'question',
    text: cutText(questions.map((asked) => text(asked.question)).join('\n')),
    options: questions.flatMap((asked) =>
      list(asked.options).map((option) => text(loose(option).label)),
    ),
  };
}
