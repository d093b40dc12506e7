import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RunFailure} from '@symphony-supervisor/protocol';
import {promptFailure, requestFailure, verdictOf} from '../../../src/agent/acp/failures.ts';
import {RefusedRequest} from '../../../src/agent/wire/peer.ts';

const code = (failure: RunFailure | null) => failure?.failure.code ?? null;

test('only end_turn is a completed turn', () => {
  assert.equal(verdictOf({stopReason: 'end_turn'}, null), null);
  for (const stopReason of ['refusal', 'max_tokens', 'max_turn_requests', 'something_new']) {
    const failure = verdictOf({stopReason}, null);
    assert.equal(code(failure), 'turn_failed');
    assert.match(failure?.message ?? '', new RegExp(stopReason));
  }
  assert.equal(code(verdictOf({stopReason: 'cancelled'}, null)), 'turn_cancelled');
  for (const odd of [null, {}, {stopReason: 7}, 'end_turn']) {
    assert.equal(code(verdictOf(odd, null)), 'turn_failed');
  }
});

test('a turn that ended with a refusal of ours was not completed', () => {
  const failure = verdictOf({stopReason: 'end_turn'}, 'run rm -r x (agent.access: read)');
  assert.equal(code(failure), 'turn_failed');
  assert.match(failure?.message ?? '', /run rm -r x/);
});

test('an error of a prompt is a failed turn, with what the agent adds to it', () => {
  const refused = (error: object) => new RefusedRequest('session/prompt', error);
  const failing = (error: object) => promptFailure(refused(error), false);
  assert.equal(code(failing({code: -32000, message: 'Authentication required'})), 'unauthorized');
  assert.equal(code(failing({code: -32603, message: 'invalid x-api-key'})), 'turn_failed');
  assert.match(failing({code: -32603, data: 'no such model'}).message, /\(no such model\)$/);
  assert.match(failing({data: {details: 'away'}}).message, /\(away\)$/);
  assert.match(failing({data: {message: 'away'}}).message, /\(away\)$/);
  const said = failing({code: -32603, message: 'Internal error: away', data: {message: 'away'}});
  assert.equal(said.message, 'session/prompt: Internal error: away', 'not twice');
  const gone = new RunFailure('port_exit', 'gone');
  assert.equal(promptFailure(gone, false), gone);
  assert.equal(promptFailure(gone, true), gone);
});

test('an error after we have cancelled the turn is its end, not a failure', () => {
  const aborted = new RefusedRequest('session/prompt', {code: -32603, message: 'Aborted'});
  assert.equal(code(promptFailure(aborted, true)), 'turn_cancelled');
});

test('a refused opening is no failed turn', () => {
  const refused = (errorCode: number) =>
    requestFailure(new RefusedRequest('session/new', {code: errorCode, message: 'no'}));
  assert.equal(code(refused(-32000)), 'unauthorized');
  assert.equal(code(refused(-32603)), 'response_error');
  assert.equal(code(requestFailure(new TypeError('odd'))), 'response_error');
});
