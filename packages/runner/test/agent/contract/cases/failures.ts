import assert from 'node:assert/strict';
import type {FailureCode} from '@symphony-supervisor/protocol';
import {fail, type ModelFailure} from '../deed.ts';
import type {ContractCase} from '../stage.ts';

function failing(what: string, by: ModelFailure, code: FailureCode): ContractCase {
  return {
    rule: `${what} is \`${code}\``,
    play: async ({talk, codeOf}) => {
      await using conversation = await talk([[fail(by)]]);
      await conversation.session.start(null);
      const failure = await conversation.turn('Work.');
      assert.equal(failure?.failure.code, codeOf(code), failure?.message ?? 'it was completed');
      assert.notEqual(failure?.message, '');
      const ended = conversation.told().is_partial;
      assert.notEqual(ended, true, 'the agent itself has ended the turn');
    },
  };
}

export const failureCases = {
  'failures.bad-request': failing(
    'a request that is refused (400)',
    'bad-request-400',
    'turn_failed',
  ),
  'failures.unauthorized': failing('a refused key (401)', 'unauthorized-401', 'unauthorized'),
  'failures.forbidden': failing('a forbidden request (403)', 'forbidden-403', 'unauthorized'),
  'failures.rate-limited': failing('too many requests (429)', 'rate-limited-429', 'turn_failed'),
  'failures.server-error': failing('a broken server (500)', 'server-error-500', 'turn_failed'),
  'failures.overloaded': failing('an overloaded server (529)', 'overloaded-529', 'turn_failed'),
  'failures.connection-refused': failing(
    'a model that cannot be reached',
    'connection-refused',
    'turn_failed',
  ),
  'failures.stream-cut': failing('an answer that breaks off', 'stream-cut', 'turn_failed'),
  'failures.context': failing(
    'a conversation that is too long',
    'context-too-long',
    'context_window_exceeded',
  ),
  'failures.refusal': failing('an answer that the model refuses', 'refusal', 'turn_failed'),
} satisfies Record<string, ContractCase>;
