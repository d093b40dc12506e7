import type {ToolResult} from '@symphony-supervisor/protocol';
import {type Answer, METHOD_NOT_FOUND} from '../wire/peer.ts';
import {CommandApproval, Elicitation, Reasoned, ToolCall, UserInput} from './wire/messages.ts';

/** What a request of the agent comes to, besides its answer. */
export type Answered =
  | {readonly is: 'answered'; readonly answer: Answer}
  | {readonly is: 'auto-approved'; readonly answer: Answer; readonly what: string}
  /** Only a person can say; the answer declines, and the run ends. */
  | {readonly is: 'question'; readonly answer: Answer; readonly question: string}
  | {readonly is: 'unsupported-tool'; readonly answer: Answer; readonly tool: string};

export interface RequestRules {
  /** Under `never` there are no questions, so a request that comes nevertheless is allowed. */
  readonly approvesCommands: boolean;
  readonly toolNames: ReadonlySet<string>;
  readonly callTool: (name: string, args: unknown) => Promise<ToolResult>;
}

/** Every request that an agent may send gets its one answer here. */
export async function answerRequest(
  method: string,
  params: unknown,
  rules: RequestRules,
): Promise<Answered> {
  switch (method) {
    case 'item/tool/call':
      return toolCall(params, rules);
    case 'item/commandExecution/requestApproval':
      return approval(commandQuestion(params), rules, {
        accepted: {decision: 'acceptForSession'},
        declined: {decision: 'decline'},
      });
    case 'item/fileChange/requestApproval':
      return approval(reasoned('May I change files?', params), rules, {
        accepted: {decision: 'acceptForSession'},
        declined: {decision: 'decline'},
      });
    case 'execCommandApproval':
      return approval(commandQuestion(params), rules, LEGACY_DECISIONS);
    case 'applyPatchApproval':
      return approval(reasoned('May I change files?', params), rules, LEGACY_DECISIONS);
    case 'item/permissions/requestApproval':
      return permissions(params, rules);
    case 'item/tool/requestUserInput':
      return {is: 'question', answer: {result: {answers: {}}}, question: inputQuestion(params)};
    case 'mcpServer/elicitation/request':
      return {
        is: 'question',
        answer: {result: {action: 'decline', content: null, _meta: null}},
        question: elicitationQuestion(params),
      };
    default:
      return {
        is: 'answered',
        answer: {error: {code: METHOD_NOT_FOUND, message: `no ${method} here`}},
      };
  }
}

const LEGACY_DECISIONS = {
  accepted: {decision: 'approved_for_session'},
  declined: {decision: {denied: {rejection: 'there is no one here to approve this'}}},
};

async function toolCall(params: unknown, rules: RequestRules): Promise<Answered> {
  const call = ToolCall.parse(params);
  if (!rules.toolNames.has(call.tool)) {
    const content = {error: `there is no tool called ${call.tool}`};
    return {
      is: 'unsupported-tool',
      tool: call.tool,
      answer: toolAnswer({success: false, content, wrote: false}),
    };
  }
  const result = await rules.callTool(call.tool, call.arguments ?? {});
  return {is: 'answered', answer: toolAnswer(result)};
}

function toolAnswer({success, content}: ToolResult): Answer {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return {result: {success, contentItems: [{type: 'inputText', text}]}};
}

function approval(
  question: string,
  rules: RequestRules,
  decisions: {accepted: object; declined: object},
): Answered {
  return rules.approvesCommands
    ? {is: 'auto-approved', answer: {result: decisions.accepted}, what: question}
    : {is: 'question', answer: {result: decisions.declined}, question};
}

/** Wider permissions are another matter than a command: `never` does not grant them. */
function permissions(params: unknown, rules: RequestRules): Answered {
  const answer = {result: {permissions: {}, scope: 'turn'}};
  return rules.approvesCommands
    ? {is: 'answered', answer}
    : {is: 'question', answer, question: reasoned('May I have wider permissions?', params)};
}

function commandQuestion(params: unknown): string {
  const {command} = CommandApproval.parse(params);
  const text = Array.isArray(command) ? command.join(' ') : String(command ?? 'a command');
  return reasoned(`May I run: ${text}`, params);
}

function reasoned(question: string, params: unknown): string {
  const {reason} = Reasoned.parse(params);
  return reason ? `${question}\n${reason}` : question;
}

function inputQuestion(params: unknown): string {
  return UserInput.parse(params)
    .questions.map(({question, options}) => {
      const choices = (options ?? []).map(({label}) => `- ${label}`);
      return [question, ...choices].join('\n');
    })
    .join('\n\n');
}

function elicitationQuestion(params: unknown): string {
  const {serverName, message, title} = Elicitation.parse(params);
  return `${serverName ?? 'A tool server'} asks: ${message ?? title ?? '(no text)'}`;
}
