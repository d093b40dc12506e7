import {type AgentJobOf, NO_USAGE} from '@symphony-supervisor/protocol';
import {loose, text} from '@symphony-supervisor/protocol/transcript';
import type {Message} from './agent-recording.ts';
import {CLAUDE_VERDICTS} from './claude-verdicts.ts';
import type {AgentMessage, ClientMessage, RecordedKind} from './recorded-kind.ts';

/** Recordings of `claude -p` with JSON lines. */
export const recordedClaude: RecordedKind<AgentJobOf<'claude'>> = {
  kind: 'claude',
  load: async () => (await import('../../../packages/runner/src/agent/claude/agent.ts')).claude,
  job: (command) => ({
    ...{kind: 'claude', permission_mode: 'acceptEdits', allowed_tools: [], disallowed_tools: []},
    ...{on_permission: 'deny', sandbox: 'off', max_retries: 10},
    ...{model: null, effort: null, access: 'write', command},
    // A model that hangs is silent for good.
    ...{turn_timeout_ms: 2_000, read_timeout_ms: 30_000},
  }),
  recorded: ({args}) => {
    const at = args.indexOf('--resume');
    return at === -1 ? null : {id: args[at + 1] ?? '', usage: NO_USAGE};
  },
  verdicts: CLAUDE_VERDICTS,
  protocol: {
    client: clientMessage,
    agent: agentMessage,
    readdressed: (message, id) => ({
      ...message,
      response: {...loose(message.response), request_id: id},
    }),
    // Our tools are on another server than the recorded client's.
    adapted: (message) =>
      message.subtype === 'init'
        ? {...message, mcp_servers: [{name: 'symphony', status: 'connected'}]}
        : message,
    improvised: (ours) => {
      const {subtype} = loose(ours.request);
      return subtype === 'initialize' || subtype === 'interrupt' ? [succeeded(ours)] : null;
    },
    diverged: (ours) => {
      if (ours.type === 'control_request') return [succeeded(ours), aborted()];
      return answerOf(ours).interrupt === true ? [aborted()] : [completed()];
    },
  },
};

function clientMessage(message: Message): ClientMessage {
  switch (message.type) {
    case 'user': {
      const {content} = loose(message.message);
      return {is: 'prompt', text: text(content) || JSON.stringify(content), id: null};
    }
    case 'control_request': {
      const name = text(loose(message.request).subtype);
      const id = text(message.request_id);
      return name === 'interrupt' ? {is: 'interrupt', id} : {is: 'request', name, id};
    }
    case 'control_response': {
      const to = text(loose(message.response).request_id);
      // After a tool the turn goes on, whatever its result.
      return {is: 'answer', to, grants: answerOf(message).behavior !== 'deny'};
    }
    default:
      return {is: 'notice'};
  }
}

function agentMessage(message: Message): AgentMessage {
  switch (message.type) {
    case 'control_request':
      return {is: 'request', id: text(message.request_id)};
    case 'control_response':
      return {is: 'answer', to: text(loose(message.response).request_id), endsTurn: false};
    default:
      return {is: 'notice', endsTurn: message.type === 'result'};
  }
}

function answerOf(message: Message) {
  return loose(loose(message.response).response);
}

function succeeded(request: Message): Message {
  const response = {subtype: 'success', request_id: request.request_id, response: {}};
  return {type: 'control_response', response};
}

function aborted(): Message {
  const result = {type: 'result', subtype: 'error_during_execution', is_error: true};
  return {...result, terminal_reason: 'aborted_tools', errors: ['interrupted']};
}

function completed(): Message {
  const result = {type: 'result', subtype: 'success', is_error: false};
  return {...result, terminal_reason: 'completed', result: 'then not'};
}
