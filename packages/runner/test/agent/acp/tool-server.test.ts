import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {request} from 'node:http';
import {createInterface} from 'node:readline';
import {test} from 'node:test';
import {createMask} from '@symphony-supervisor/protocol';
import {ToolServer} from '../../../src/agent/mcp/http-server.ts';
import {PROXY_PROGRAM, PROXY_TOKEN, PROXY_URL} from '../../../src/agent/mcp/stdio-proxy.ts';

const LOOK = {name: 'look', description: 'Looks.', input_schema: {type: 'object'}};

async function aServer() {
  const calls: unknown[] = [];
  const server = await ToolServer.listen({
    tools: [LOOK],
    callTool: async (name, args) => {
      calls.push([name, args]);
      return {success: true, content: {seen: true}, wrote: false};
    },
    onUnknownTool: () => {},
  });
  return {server, calls, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** `fetch` sets the host header itself, so this is by hand. */
function send({url, token}: ToolServer, sent: Sent = {}): Promise<{status: number; text: string}> {
  const {method = 'POST', path = '/mcp', headers = {}, body = '{}'} = sent;
  const {port} = new URL(url);
  const authorization = `Bearer ${token}`;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {host: '127.0.0.1', port, method, path, headers: {authorization, ...headers}},
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({status: response.statusCode ?? 0, text}));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const rpc = (method: string, params: object = {}) =>
  JSON.stringify({jsonrpc: '2.0', id: 1, method, params});

test('tools are listed and called, notifications are taken', async () => {
  await using served = await aServer();
  const {server, calls} = served;
  const answer = async (body: string) => JSON.parse((await send(server, {body})).text).result;
  assert.equal((await answer(rpc('initialize'))).serverInfo.name, 'symphony');
  assert.equal(server.wasAsked, false);
  assert.equal((await answer(rpc('tools/list'))).tools[0].name, 'look');
  assert.equal(server.wasAsked, true);
  const called = await answer(rpc('tools/call', {name: 'look', arguments: {at: 'it'}}));
  assert.deepEqual(called, {content: [{type: 'text', text: '{"seen":true}'}], isError: false});
  assert.deepEqual(calls, [['look', {at: 'it'}]]);
  const note = JSON.stringify({jsonrpc: '2.0', method: 'notifications/initialized'});
  assert.deepEqual(await send(server, {body: note}), {status: 202, text: ''});
});

test('without the token, under another name or from a page there is nothing', async () => {
  await using served = await aServer();
  const {server, calls} = served;
  const body = rpc('tools/call', {name: 'look'});
  const status = async (sent: Sent) => (await send(server, {body, ...sent})).status;
  const wrong = `Bearer ${server.token.slice(0, -1)}x`;
  for (const authorization of ['', 'Bearer ', wrong, server.token, `Basic ${server.token}`]) {
    assert.equal(await status({headers: {authorization}}), 401, authorization);
  }
  assert.equal(await status({headers: {host: 'evil.example'}}), 403);
  assert.equal(await status({headers: {host: `localhost:${new URL(server.url).port}`}}), 403);
  assert.equal(await status({headers: {origin: 'http://127.0.0.1'}}), 403);
  assert.equal(await status({path: '/'}), 404);
  for (const method of ['GET', 'DELETE', 'PUT']) assert.equal(await status({method}), 405, method);
  assert.deepEqual(calls, []);
});

test('it listens on loopback alone', async () => {
  await using served = await aServer();
  assert.match(served.server.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
});

test('a body that is too long or no JSON is refused, whether or not it says its length', async () => {
  await using served = await aServer();
  const {server} = served;
  assert.match((await send(server, {body: 'nonsense'})).text, /-32600/);
  const tooLong = 'x'.repeat(5 * 1024 * 1024);
  // The rest of it is not read, so the connection may break before the answer is.
  const said = await send(server, {body: tooLong}).catch(() => ({status: 413}));
  assert.equal(said.status, 413);
  const chunked = {body: tooLong, headers: {'transfer-encoding': 'chunked'}};
  const told = await send(server, chunked).catch(() => ({status: 413}));
  assert.equal(told.status, 413);
  assert.equal((await send(server, {body: rpc('ping')})).status, 200, 'it still answers');
});

test('it is gone with its run, with a call that never ends', async () => {
  let begun = (): void => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const server = await ToolServer.listen({
    tools: [LOOK],
    callTool: () => {
      begun();
      return new Promise(() => {});
    },
    onUnknownTool: () => {},
  });
  const call = send(server, {body: rpc('tools/call', {name: 'look'})});
  call.catch(() => {});
  await hasBegun;
  await server[Symbol.asyncDispose]();
  await assert.rejects(call);
  await assert.rejects(send(server, {body: rpc('ping')}));
});

test('tokens differ, and are masked wherever they are written', async () => {
  await using one = await aServer();
  await using other = await aServer();
  assert.notEqual(one.server.token, other.server.token);
  const mask = createMask({values: []});
  const {token} = one.server;
  for (const text of [token, `Bearer ${token}`, JSON.stringify({headers: [{value: token}]})]) {
    assert.ok(!mask(text).includes(token.slice(-20)), mask(text));
  }
});

test('an agent without HTTP gets the same by a program on stdio', async () => {
  await using served = await aServer();
  const {url, token} = served.server;
  const child = spawn(process.execPath, ['-e', PROXY_PROGRAM], {
    env: {[PROXY_URL]: url, [PROXY_TOKEN]: token},
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
    const ask = async (line: string) => {
      child.stdin.write(`${line}\n`);
      return JSON.parse((await lines.next()).value);
    };
    child.stdin.write('\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    assert.equal((await ask(rpc('tools/list'))).result.tools[0].name, 'look');
    await served.server[Symbol.asyncDispose]();
    assert.match((await ask(rpc('tools/list'))).error.message, /are gone/);
  } finally {
    child.kill('SIGKILL');
  }
});
