import {type AgentJobOf, NO_USAGE} from '@symphony-supervisor/protocol';
import {acp} from '../../../packages/runner/src/agent/acp/agent.ts';
import type {AgentRecording, Message} from './agent-recording.ts';
import type {ClientMessage, RecordedKind} from './recorded-kind.ts';

/** Either is an answer to the same wish, and ours prefers the one without a replay. */
const REOPENING = ['session/resume', 'session/load'];

/** By the second word of a recording's name. */
const PRESETS: Readonly<Record<string, AgentJobOf<'acp'>['preset']>> = {
  opencode: 'opencode',
  claude: 'claude-agent-acp',
};

export const recordedAcp: RecordedKind<AgentJobOf<'acp'>> = {
  kind: 'acp',
  load: async () => acp,
  job: (command, {name}) => ({
    ...{kind: 'acp', mode: null, permissions: 'allow', trust_repository: false, command},
    preset: PRESETS[name.split('-')[1] ?? ''] ?? null,
    ...{model: null, effort: null, access: 'write', start_timeout_ms: 30_000},
    ...{turn_timeout_ms: 30_000, read_timeout_ms: 5_000},
  }),
  recorded: reopenedBy,
  verdicts: {
    // Where nothing is said there was no turn. An agent that has run out of tokens, or has compacted its
    // conversation by itself, may call its turn completed.
    'acp-claude-a1-two-turns': 'completed, completed',
    'acp-claude-b1-permission': 'completed, completed, completed',
    'acp-claude-c1-cancel-command': 'turn_cancelled, completed',
    'acp-claude-d1-sigkill-midturn': 'completed, port_exit',
    'acp-claude-d2-session-resume': 'completed',
    'acp-claude-d4-unknown-session': '',
    'acp-claude-e1-mcp-http-and-stdio': 'completed',
    'acp-claude-f-400': 'turn_failed, completed',
    'acp-claude-f-400long': 'turn_failed, completed',
    'acp-claude-f-401': 'unauthorized, completed',
    'acp-claude-f-maxtok': 'turn_failed, completed',
    'acp-claude-f-refusal': 'turn_failed, completed',
    'acp-codex-a1-initialize': '',
    'acp-gemini-a1-initialize': '',
    'acp-opencode-a1-two-turns': 'completed, completed',
    'acp-opencode-b1-permission': 'completed, completed, completed',
    'acp-opencode-c1-cancel-command': 'turn_cancelled, completed',
    'acp-opencode-c2-cancel-model': 'turn_cancelled, completed',
    'acp-opencode-d1-sigkill-midturn': 'completed, port_exit',
    'acp-opencode-d2-session-resume': 'completed',
    'acp-opencode-d3-session-load': 'completed',
    'acp-opencode-d4-unknown-session': '',
    'acp-opencode-e1-mcp-http-and-stdio': 'completed',
    'acp-opencode-f-400': 'turn_failed, completed',
    'acp-opencode-f-400long': 'completed, completed',
    'acp-opencode-f-401': 'turn_failed, completed',
    'acp-opencode-f-429': 'turn_failed, completed',
    'acp-opencode-f-500': 'turn_failed, completed',
    'acp-opencode-f-cut': 'turn_failed, completed',
    'acp-opencode-f-maxtok': 'completed, completed',
    'acp-opencode-f-refusal': 'turn_failed, completed',
    'acp-opencode-g1-second-prompt-midturn': 'completed',
    'acp-opencode-g3-sigterm-midturn': 'port_exit',
  },
  protocol: {
    client: clientMessage,
    agent: (message) => {
      const {id, method, result, error} = message;
      if (method !== undefined) {
        return id === undefined ? {is: 'notice', endsTurn: false} : {is: 'request', id: String(id)};
      }
      // An error outside of a turn ends none.
      const endsTurn = error !== undefined || fields(result).stopReason !== undefined;
      return {is: 'answer', to: String(id), endsTurn};
    },
    readdressed: (message, id) => ({...message, id: Number(id)}),
    improvised: ({id, method}) => {
      const answer = (result: object) => [{jsonrpc: '2.0', id, result}];
      if (method === 'session/new') return answer({sessionId: 'improvised'});
      return REOPENING.includes(String(method)) ? answer({}) : null;
    },
    diverged: (ours, prompt) => {
      // A question that was declined: our client interrupts the turn next.
      if (fields(ours.result).action !== undefined) return [];
      const stopReason = ours.method === 'session/cancel' ? 'cancelled' : 'end_turn';
      return [{jsonrpc: '2.0', id: Number(prompt), result: {stopReason}}];
    },
  },
};

function clientMessage(message: Message): ClientMessage {
  const {id, method, params, result} = message;
  if (method === undefined) {
    const {outcome, optionId} = fields(fields(result).outcome);
    // As the recorded agents call what allows.
    const grants = outcome === 'selected' && /^(once|always|allow)/.test(String(optionId));
    return {is: 'answer', to: String(id), grants};
  }
  if (method === 'session/prompt') {
    const [first] = list(fields(params).prompt);
    return {is: 'prompt', text: String(fields(first).text), id: String(id)};
  }
  if (method === 'session/cancel') return {is: 'interrupt', id: null};
  if (id === undefined) return {is: 'notice'};
  const name = REOPENING.includes(String(method)) ? 'reopen' : String(method);
  return {is: 'request', name, id: String(id)};
}

function reopenedBy({entries}: AgentRecording) {
  for (const entry of entries) {
    if (entry.is !== 'client' || !REOPENING.includes(String(entry.message.method))) continue;
    return {id: String(fields(entry.message.params).sessionId), usage: NO_USAGE};
  }
  return null;
}

function fields(value: unknown): Message {
  return typeof value === 'object' && value !== null ? (value as Message) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
