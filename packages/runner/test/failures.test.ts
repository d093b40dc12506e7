import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RunFailure} from '@symphony-supervisor/protocol';
import {requestFailure, turnFailure} from '../src/agent/codex/failures.ts';
import {RefusedRequest} from '../src/agent/wire/peer.ts';

test('a refusal that the next issue would meet as well is told from one that may pass', () => {
  const refused = (message: string) =>
    requestFailure(new RefusedRequest('thread/start', {code: -32600, message})).failure;
  const code = 'agent_incompatible';
  const message = 'the agent refused thread/start: Invalid request: missing field `cwd`';
  assert.deepEqual(refused('Invalid request: missing field `cwd`'), {code, message});
  assert.equal(refused('failed to load configuration: x').code, code);
  assert.equal(refused('too busy').code, 'response_error');
});

test('a failure stays what it is, and any other mistake is an answer not understood', () => {
  const known = new RunFailure('response_timeout', 'no answer');
  assert.equal(requestFailure(known), known);
  const {code, message} = requestFailure(new TypeError('thread is missing')).failure;
  assert.equal(code, 'response_error');
  assert.equal(message, "the agent's answer was not understood: thread is missing");
});

test('a turn that failed is told by the agent’s own words for it', () => {
  const code = (codexErrorInfo: unknown, message = 'no') =>
    turnFailure({message, codexErrorInfo}, null).failure.code;
  assert.equal(code('contextWindowExceeded'), 'context_window_exceeded');
  assert.equal(code({httpConnectionFailed: {httpStatusCode: 403}}), 'unauthorized');
  assert.equal(code({httpConnectionFailed: {httpStatusCode: 500}}), 'turn_failed');
  assert.equal(code({httpConnectionFailed: null}), 'turn_failed');
  assert.equal(code('other', 'Missing environment variable: KEY'), 'unauthorized');
});
