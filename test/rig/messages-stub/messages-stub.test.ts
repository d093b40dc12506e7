import assert from 'node:assert/strict';
import {test} from 'node:test';
import {MESSAGE_USAGE, say, useTool} from './message-step.ts';
import {aStub, assistant, eventsIn, user} from './messages-client.ts';

const SECRET = 'sk-nothing-that-may-be-kept';
const USAGE = {
  ...{input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 30},
  ...{output_tokens: 50, service_tier: 'standard'},
};

test('an answer is streamed as the API streams it', async (t) => {
  const {stub, ask} = await aStub(t);
  stub.answers([say('two words', {thinking: 'hm'})]);
  const events = eventsIn(await (await ask([user('Hello.')])).text());
  assert.deepEqual(
    events.map(({type, index}) => (index === undefined ? type : `${type} ${index}`)),
    [
      'message_start',
      ...['content_block_start 0', 'content_block_delta 0', 'content_block_delta 0'],
      ...['content_block_stop 0', 'content_block_start 1', 'content_block_delta 1'],
      ...['content_block_delta 1', 'content_block_stop 1', 'message_delta', 'message_stop'],
    ],
  );
  assert.deepEqual(
    events.flatMap(({delta}) => delta?.text ?? delta?.thinking ?? []),
    ['hm', 'two ', 'words'],
  );
  assert.equal(events[0]?.message?.usage.output_tokens, 1, 'not final yet');
  const last = events.at(-2);
  assert.deepEqual([last?.delta?.stop_reason, last?.usage], ['end_turn', USAGE]);
});

test('a tool is called, and its result leads to the next step of the turn', async (t) => {
  const {stub, whole} = await aStub(t);
  stub.answers([
    useTool('Bash', {command: 'ls'}, {text: 'I look.'}),
    ({toolResults}) => say(`it says ${toolResults[0]?.text}`),
  ]);
  const called = await whole([user('Look.')]);
  assert.equal(called.stop_reason, 'tool_use');
  const [text, call] = called.content;
  assert.deepEqual(text, {type: 'text', text: 'I look.'});
  assert.deepEqual([call?.name, call?.input], ['Bash', {command: 'ls'}]);
  const result = {type: 'tool_result', tool_use_id: call?.id, content: 'a file', is_error: true};
  const history = [user('Look.'), assistant(called.content), user([result])];
  const answer = await whole(history);
  assert.deepEqual(answer.content, [{type: 'text', text: 'it says a file'}]);
  assert.deepEqual(answer.usage, USAGE);
  assert.deepEqual(stub.requests[1]?.toolResults, [{id: call?.id, isError: true, text: 'a file'}]);
});

test('a call is streamed with its input as JSON', async (t) => {
  const {stub, ask} = await aStub(t);
  stub.answers([useTool('Write', {path: 'a'}, {usage: {...MESSAGE_USAGE, output: 7}})]);
  const events = eventsIn(await (await ask([user('Write.')])).text());
  const json = events.find(({delta}) => delta?.type === 'input_json_delta')?.delta?.partial_json;
  assert.deepEqual(JSON.parse(json ?? ''), {path: 'a'});
  assert.equal(events.at(-2)?.usage?.output_tokens, 7);
});

test('scripts go to turns, and a turn is known by its prompts', async (t) => {
  const {stub, whole} = await aStub(t);
  for (const text of ['one', 'two', 'three']) stub.answers([say(text)]);
  const told = async (messages: object[]) => (await whole(messages)).content[0]?.text;
  assert.equal(await told([user('Go on.')]), 'one');
  const remark = user([{type: 'text', text: '<system-reminder>be kind</system-reminder>'}]);
  const second = [user('Go on.'), assistant('one'), remark, user('Go on.')];
  assert.equal(await told(second), 'two');
  assert.equal(await told([user('Go on.')]), 'three', 'another conversation may begin alike');
  assert.deepEqual(stub.requests[1]?.prompts, ['Go on.', 'Go on.']);
  assert.deepEqual([stub.unplayed, stub.unexpected], [0, []]);
});

test('a script may be for the turns that it fits', async (t) => {
  const {stub, whole} = await aStub(t);
  stub.answers([say('for B')], {when: ({prompt}) => prompt === 'B'});
  stub.answers([say('for A')]);
  const answer = await whole([user('A')]);
  assert.equal(answer.content[0]?.text, 'for A');
  assert.equal(stub.unplayed, 1);
});

test('side calls get a plain answer and take no step of the conversation', async (t) => {
  const {stub, ask, whole} = await aStub(t);
  stub.answers([say('the work')]);
  for (const side of [{tools: []}, {tools: undefined}, {max_tokens: 1}]) {
    const answer = await whole([user('A title, please.')], side);
    assert.equal(answer.content[0]?.text, 'A title');
    assert.equal(answer.usage.output_tokens, 0);
  }
  const summary = user('Your task is to create a detailed summary of the conversation so far.');
  await ask([user('Work.'), assistant('the work'), summary]);
  assert.deepEqual([stub.requests.length, stub.sideCalls.length, stub.unplayed], [0, 4, 1]);
});

test('tokens are counted, and a HEAD finds the server', async (t) => {
  const {stub} = await aStub(t);
  const url = `${stub.baseUrl}/v1/messages/count_tokens?beta=true`;
  const response = await fetch(url, {method: 'POST', body: '{}'});
  assert.deepEqual(await response.json(), {input_tokens: 1});
  assert.equal((await fetch(stub.baseUrl, {method: 'HEAD'})).status, 200);
});

test('what no script foresees is on record, and refused', async (t) => {
  const {stub, ask} = await aStub(t);
  const response = await ask([user('Surprise!')]);
  assert.equal(response.status, 400, 'an agent does not try this again');
  assert.equal((await fetch(`${stub.baseUrl}/v1/models`)).status, 400);
  assert.deepEqual(stub.unexpected, [
    'no answer left for "Surprise!"',
    'no such route: GET /v1/models',
  ]);
});

test('a request is kept with its history and tools, and without its secret', async (t) => {
  const {stub, ask} = await aStub(t);
  stub.answers([say('hi')], {turns: 2});
  const history = [user('One.'), assistant('hi'), user('Two.')];
  await ask(history, {}, {'x-api-key': SECRET, 'x-claude-code-session-id': 'its-session'});
  await ask(history, {}, {authorization: `Bearer ${SECRET}`});
  const [byKey, byToken] = stub.requests;
  assert.deepEqual([byKey?.credential, byToken?.credential], ['api-key', 'bearer']);
  assert.deepEqual([byKey?.sessionId, byToken?.sessionId], ['its-session', null]);
  assert.deepEqual(byKey?.tools, ['Bash', 'Write']);
  assert.deepEqual(byKey?.body.messages, history);
  assert.equal(JSON.stringify(stub.requests).includes(SECRET), false);
});
