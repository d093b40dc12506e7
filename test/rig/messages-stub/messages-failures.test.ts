import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate as nextTick} from 'node:timers/promises';
import {
  cut,
  errorEvent,
  hang,
  httpError,
  type MessageStep,
  promptTooLong,
  reset,
  say,
  stopsBy,
} from './message-step.ts';
import {aStub, assistant, eventsIn, hanging, hasCode, user} from './messages-client.ts';
import {MessagesStub} from './messages-stub.ts';

const ERRORS: readonly (readonly [MessageStep, number, string])[] = [
  [httpError(400), 400, 'invalid_request_error'],
  [promptTooLong(), 400, 'invalid_request_error'],
  [httpError(401), 401, 'authentication_error'],
  [httpError(403), 403, 'permission_error'],
  [httpError(404), 404, 'not_found_error'],
  [httpError(429, {retryAfterS: 2}), 429, 'rate_limit_error'],
  [httpError(500), 500, 'api_error'],
  [httpError(529), 529, 'overloaded_error'],
];

for (const [step, status, type] of ERRORS) {
  test(`${status}, ${type}, for every try of the turn`, async (t) => {
    const {stub, ask} = await aStub(t);
    stub.answers([step]);
    for (let tries = 0; tries < 2; tries++) {
      const response = await ask([user('Work.')]);
      assert.equal(response.status, status);
      assert.equal(response.headers.get('retry-after'), status === 429 ? '2' : null);
      assert.match(await response.text(), new RegExp(`"type":"${type}"`));
    }
  });
}

test('a failure that is followed by a step is played once', async (t) => {
  const {stub, ask} = await aStub(t);
  stub.answers([httpError(500), cut(), say('recovered')]);
  assert.equal((await ask([user('Work.')])).status, 500);
  await assert.rejects((await ask([user('Work.')])).text(), 'it breaks off');
  assert.match(await (await ask([user('Work.')])).text(), /recovered/);
});

test('a stream breaks off within a message, a whole answer within its body', async (t) => {
  const {stub, ask} = await aStub(t);
  stub.answers([cut()]);
  const response = await ask([user('Work.')]);
  let seen = '';
  await assert.rejects(async () => {
    for await (const chunk of response.body ?? []) seen += Buffer.from(chunk).toString();
  });
  assert.match(seen, /half a mess/);
  await assert.rejects((await ask([user('Work.')], {stream: false})).text());
});

test('a stream ends in an error event', async (t) => {
  const {stub, ask} = await aStub(t);
  stub.answers([errorEvent()]);
  const events = eventsIn(await (await ask([user('Work.')])).text());
  assert.equal(events.at(-1)?.error?.type, 'overloaded_error');
  assert.equal((await ask([user('Work.')], {stream: false})).status, 500);
});

test('max_tokens and refusal are played again when the agent asks to go on', async (t) => {
  for (const reason of ['max_tokens', 'refusal'] as const) {
    const {stub, whole} = await aStub(t);
    stub.answers([stopsBy(reason, 'half')]);
    const goOn = user([{type: 'text', text: 'Output token limit hit. Resume directly.'}]);
    for (const messages of [[user('Work.')], [user('Work.'), assistant('half'), goOn]]) {
      const answer = await whole(messages);
      assert.equal(answer.stop_reason, reason);
    }
  }
});

test('a connection is reset, refused, or hangs', async (t) => {
  const {stub, ask} = await aStub(t);
  stub.answers([reset()]);
  await assert.rejects(ask([user('Work.')]), hasCode('ECONNRESET'));
  stub.answers([hang()]);
  const {socket, isOver} = await hanging(stub);
  await stub.requestAt(1);
  await nextTick();
  assert.equal(isOver(), false);
  socket.destroy();
  await stub[Symbol.asyncDispose]();
  await assert.rejects(ask([user('Work.')]), hasCode('ECONNREFUSED'));
  await using back = await MessagesStub.listen({port: stub.port});
  back.answers([say('back')]);
  assert.equal((await ask([user('Work.')])).status, 200);
});
