import {type Fields, fieldsOf} from '../json.ts';

/** A request to the client in this protocol, and what its answer says in the words of the steps. */
export interface Asked {
  readonly method: string;
  readonly params: object;
  readonly read: (result: Fields) => Fields;
}

/** As agents offer them: known by their kind, with ids of the agent's own. */
const OPTIONS = [
  {optionId: 'once', name: 'Allow once', kind: 'allow_once'},
  {optionId: 'always', name: 'Always allow', kind: 'allow_always'},
  {optionId: 'no', name: 'Reject', kind: 'reject_once'},
];
const DECISIONS: Readonly<Record<string, string>> = {
  once: 'accept',
  always: 'acceptForSession',
  no: 'decline',
};

export function askedOf(
  method: string,
  fields: Fields,
  items: ReadonlyMap<unknown, Fields>,
): Asked {
  const {threadId: sessionId, turnId: _, ...params} = fields;
  switch (method) {
    case 'item/commandExecution/requestApproval':
    case 'item/fileChange/requestApproval':
      return permission(sessionId, toolCallOf(items.get(params.itemId) ?? {}));
    case 'item/permissions/requestApproval':
      return permission(sessionId, {
        toolCallId: params.itemId,
        title: 'more rights',
        kind: 'other',
      });
    case 'item/tool/requestUserInput': {
      const questions = Array.isArray(params.questions) ? params.questions.map(fieldsOf) : [];
      return elicitation(sessionId, questions.map(({question}) => question).join('\n'));
    }
    case 'mcpServer/elicitation/request':
      return elicitation(sessionId, String(params.message));
    default:
      return {method, params: {sessionId, ...params}, read: (result) => result};
  }
}

/** What a tool call is told by, of any item of a script. */
export function toolCallOf(item: Fields): Fields {
  const base = {toolCallId: item.id, status: 'pending'};
  switch (item.type) {
    case 'commandExecution': {
      const [action] = Array.isArray(item.commandActions) ? item.commandActions : [];
      const {command} = fieldsOf(action);
      return {...base, title: command, kind: 'execute', rawInput: {command, cwd: item.cwd}};
    }
    case 'fileChange': {
      const changes = Array.isArray(item.changes) ? item.changes.map(fieldsOf) : [];
      const locations = changes.map(({path}) => ({path}));
      const content = changes.flatMap(({path, kind, diff}) =>
        fieldsOf(kind).type === 'add' ? [{type: 'diff', path, oldText: null, newText: diff}] : [],
      );
      return {...base, title: 'edit', kind: 'edit', locations, content};
    }
    default:
      return {...base, title: `symphony_${item.tool}`, kind: 'other', rawInput: item.arguments};
  }
}

function permission(sessionId: unknown, toolCall: Fields): Asked {
  return {
    method: 'session/request_permission',
    params: {sessionId, toolCall, options: OPTIONS},
    read: ({outcome}) => {
      const {outcome: is, optionId} = fieldsOf(outcome);
      return {decision: is === 'selected' ? DECISIONS[String(optionId)] : 'cancel', outcome};
    },
  };
}

function elicitation(sessionId: unknown, message: string): Asked {
  const requestedSchema = {type: 'object', properties: {answer: {type: 'string'}}};
  return {
    method: 'elicitation/create',
    params: {sessionId, mode: 'form', message, requestedSchema},
    read: (result) => result,
  };
}
