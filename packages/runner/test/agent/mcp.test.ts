import assert from 'node:assert/strict';
import {test} from 'node:test';
import {answerMcp, type OfferedTools} from '../../src/agent/mcp/answer.ts';

const LOOK = {name: 'look', description: 'Looks.', input_schema: {type: 'object'}};

function offering(result = {success: true, content: {seen: true}, wrote: false}) {
  const calls: unknown[] = [];
  const unknown: string[] = [];
  const offered: OfferedTools = {
    tools: [LOOK],
    callTool: async (name, args) => {
      calls.push([name, args]);
      return result;
    },
    onUnknownTool: (name) => unknown.push(name),
  };
  const ask = (method: string, params?: object) =>
    answerMcp({jsonrpc: '2.0', id: 7, method, params}, offered);
  return {ask, calls, unknown, offered};
}

test('the handshake takes a version that the client knows, else offers the newest', async () => {
  const {ask} = offering();
  const version = async (protocolVersion?: string) => {
    const answer = (await ask('initialize', {protocolVersion})) as {result: object};
    return (answer.result as {protocolVersion: string}).protocolVersion;
  };
  assert.equal(await version('2025-03-26'), '2025-03-26');
  assert.equal(await version('2099-01-01'), '2025-11-25');
  assert.equal(await version(), '2025-11-25');
});

test('tools are listed with their schema, and called with their arguments', async () => {
  const {ask, calls} = offering();
  const {name, description, input_schema: inputSchema} = LOOK;
  assert.deepEqual(await ask('tools/list'), {
    ...{jsonrpc: '2.0', id: 7},
    result: {tools: [{name, description, inputSchema}]},
  });
  assert.deepEqual(await ask('tools/call', {name: 'look', arguments: {at: 'it'}}), {
    ...{jsonrpc: '2.0', id: 7},
    result: {content: [{type: 'text', text: '{"seen":true}'}], isError: false},
  });
  assert.deepEqual(calls, [['look', {at: 'it'}]]);
});

test('a call that fails, and one of an unknown tool, are results that the agent can read', async () => {
  const failing = offering({success: false, content: {seen: false}, wrote: false});
  const isError = async (params: object) => {
    const answer = (await failing.ask('tools/call', params)) as {result: {isError: boolean}};
    return answer.result.isError;
  };
  assert.equal(await isError({name: 'look'}), true);
  assert.deepEqual(failing.calls, [['look', {}]], 'without arguments: an empty object');
  assert.equal(await isError({name: 'fly'}), true);
  assert.deepEqual(failing.unknown, ['fly']);
  assert.equal(failing.calls.length, 1);
});

test('every request is answered, and no notification is', async () => {
  const {ask, offered} = offering();
  const code = (answer: unknown) => (answer as {error: {code: number}}).error.code;
  assert.equal(code(await ask('server/discover')), -32601);
  assert.equal(code(await ask('tools/call', {})), -32602);
  for (const message of [null, [], 'x', {id: 1}, {jsonrpc: '2.0', id: {}, method: 'ping'}]) {
    assert.equal(code(await answerMcp(message, offered)), -32600);
  }
  assert.deepEqual(await ask('ping'), {jsonrpc: '2.0', id: 7, result: {}});
  assert.equal(await answerMcp({method: 'notifications/initialized'}, offered), null);
});
