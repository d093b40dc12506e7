import {type Answer, INVALID_PARAMS, METHOD_NOT_FOUND} from '../wire/peer.ts';
import {Elicitation, PermissionRequest} from './messages.ts';
import {answerOf, type Decision, decide, type PermissionRules} from './permissions.ts';

/** What a request of the agent comes to, besides its answer. */
export type Answered =
  | {readonly is: 'answered'; readonly answer: Answer}
  | {readonly is: 'decided'; readonly answer: Answer; readonly decision: Decision}
  /** Only a person can say; the answer declines. */
  | {readonly is: 'question'; readonly answer: Answer; readonly question: string};

/** Every request that an agent may send gets its one answer here. */
export function answerRequest(method: string, params: unknown, rules: PermissionRules): Answered {
  switch (method) {
    case 'session/request_permission':
      return permission(params, rules);
    case 'elicitation/create':
      return elicitation(params);
    default:
      // Files and terminals among them: they were not offered.
      return failed(METHOD_NOT_FOUND, `there is no ${method} here`);
  }
}

function permission(params: unknown, rules: PermissionRules): Answered {
  const request = PermissionRequest.safeParse(params);
  if (!request.success) {
    return failed(INVALID_PARAMS, 'a request for permission needs a tool call and options');
  }
  const decision = decide(request.data, rules);
  return {is: 'decided', answer: {result: answerOf(decision, request.data)}, decision};
}

function elicitation(params: unknown): Answered {
  const request = Elicitation.safeParse(params);
  if (!request.success) return failed(INVALID_PARAMS, 'a question needs a message');
  return {
    is: 'question',
    answer: {result: {action: 'decline'}},
    question: request.data.message,
  };
}

function failed(code: number, message: string): Answered {
  return {is: 'answered', answer: {error: {code, message}}};
}
