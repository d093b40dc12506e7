import {type TeletypeJob, teletype} from '../../../packages/runner/test/agent/example/agent.ts';
import type {Message} from './agent-recording.ts';
import type {ClientMessage, RecordedKind} from './recorded-kind.ts';

/** The agent of the docs, for tests of the replay itself. Its answers come in order and have no ids. */
export const recordedTeletype: RecordedKind<TeletypeJob> = {
  kind: 'teletype',
  load: async () => teletype,
  job: (command) => ({
    ...{kind: 'teletype', model: null, effort: null, access: 'write', command},
    ...{turn_timeout_ms: 60_000, read_timeout_ms: 30_000},
  }),
  recorded: () => null,
  verdicts: {},
  protocol: {
    client: clientMessage,
    agent: (message) => {
      if ('calls' in message) return {is: 'request', id: 'call'};
      if ('version' in message) return {is: 'answer', to: 'hello', endsTurn: false};
      if ('opened' in message) return {is: 'answer', to: 'open', endsTurn: false};
      return {is: 'notice', endsTurn: 'ended' in message};
    },
    readdressed: (message) => message,
    improvised: (ours) => ('hello' in ours ? [{version: '1.0'}] : null),
    diverged: () => [{ended: {by: 'stop', reason: 'stopped'}}],
  },
};

function clientMessage(message: Message): ClientMessage {
  if ('hello' in message) return {is: 'request', name: 'hello', id: 'hello'};
  if ('open' in message) return {is: 'request', name: 'open', id: 'open'};
  if ('turn' in message) return {is: 'prompt', text: String(message.turn), id: null};
  if ('stop' in message) return {is: 'interrupt', id: null};
  if ('result' in message) return {is: 'answer', to: 'call', grants: message.result === 'a view'};
  return {is: 'notice'};
}
