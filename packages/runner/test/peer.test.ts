import assert from 'node:assert/strict';
import {test} from 'node:test';
import {JsonRpcPeer, RefusedRequest} from '../src/agent/wire/peer.ts';

/** What a peer makes of a line while it waits for the answers to its requests 0 and 1. */
async function heard(line: string): Promise<unknown[]> {
  const told: unknown[] = [];
  const peer = new JsonRpcPeer({
    write: () => {},
    onRequest: async (method, params) => {
      told.push(['request', method, params]);
      return {result: null};
    },
    onNotification: (method, params) => void told.push(['notification', method, params]),
    onMalformed: (malformed) => void told.push(['malformed', malformed]),
    onLine: (direction) => void (direction === '<-' && told.push(['kept'])),
  });
  const settled = [0, 1].map((nth) =>
    peer.request(`ask${nth}`, {}, 60_000).then(
      (result) => void told.push(['answer', nth, result]),
      (error) => {
        if (error instanceof RefusedRequest) told.push(['refused', error.message, error.code]);
      },
    ),
  );
  peer.receive(line);
  await new Promise(setImmediate);
  peer.close(new Error('over'));
  await Promise.all(settled);
  return told;
}

const MALFORMED = 'malformed';
const NO_REASON = 'ask0: refused without a reason';

const TABLE: readonly (readonly [line: string, heard: unknown[] | typeof MALFORMED])[] = [
  // No object, or one that says nothing.
  ['', MALFORMED],
  ['{', MALFORMED],
  ['null', MALFORMED],
  ['true', MALFORMED],
  ['7', MALFORMED],
  ['"method"', MALFORMED],
  ['[]', MALFORMED],
  ['[{"method":"m"}]', MALFORMED],
  ['{}', MALFORMED],
  ['{"params":{},"result":1}', MALFORMED],
  ['{"error":{"code":1,"message":"no"}}', MALFORMED],
  // Notifications: a method and no id.
  ['{"method":"m"}', [['notification', 'm', {}]]],
  ['{"method":""}', [['notification', '', {}]]],
  ['{"method":"m","params":{"a":1}}', [['notification', 'm', {a: 1}]]],
  ['{"method":"m","params":[1]}', [['notification', 'm', [1]]]],
  ['{"method":"m","params":null}', [['notification', 'm', {}]]],
  ['{"method":"m","params":"a"}', [['notification', 'm', {}]]],
  ['{"method":"m","params":3}', [['notification', 'm', {}]]],
  ['{"method":"m","result":1,"error":null,"more":[]}', [['notification', 'm', {}]]],
  ['{"method":"m","__proto__":{"id":7}}', [['notification', 'm', {}]]],
  ['{"method":null}', MALFORMED],
  ['{"method":1}', MALFORMED],
  ['{"method":["m"]}', MALFORMED],
  ['{"method":{"m":1}}', MALFORMED],
  ['{"method":false,"id":0}', MALFORMED],
  ['{"__proto__":{"method":"m"}}', MALFORMED],
  // Requests: a method and an id.
  ['{"method":"m","id":0}', [['kept'], ['request', 'm', undefined]]],
  ['{"method":"m","id":-1.5,"params":{}}', [['kept'], ['request', 'm', {}]]],
  ['{"method":"m","id":"","params":[]}', [['kept'], ['request', 'm', []]]],
  ['{"method":"m","id":"0","params":null}', [['kept'], ['request', 'm', null]]],
  ['{"method":"m","id":0,"result":1}', [['kept'], ['request', 'm', undefined]]],
  ['{"method":"m","id":null}', MALFORMED],
  ['{"method":"m","id":true}', MALFORMED],
  ['{"method":"m","id":[0]}', MALFORMED],
  ['{"method":"m","id":{}}', MALFORMED],
  ['{"method":"m","id":1e999}', MALFORMED],
  ['{"method":"m","id":-1e999}', MALFORMED],
  // Answers: an id alone. Those to nobody's question are kept all the same.
  ['{"id":0}', [['kept'], ['answer', 0, undefined]]],
  ['{"id":0,"result":{"a":1}}', [['kept'], ['answer', 0, {a: 1}]]],
  ['{"id":1,"result":null}', [['kept'], ['answer', 1, null]]],
  ['{"id":0,"result":1,"error":null}', [['kept'], ['answer', 0, 1]]],
  ['{"id":"0","result":1}', [['kept']]],
  ['{"id":2,"result":1}', [['kept']]],
  ['{"id":null,"result":1}', MALFORMED],
  ['{"id":[0],"result":1}', MALFORMED],
  ['{"id":1e999,"result":1}', MALFORMED],
  // Refusals, whatever they hold beside.
  ['{"id":0,"error":{}}', [['kept'], ['refused', NO_REASON, 0]]],
  ['{"id":1,"error":{"code":-5,"message":"no"}}', [['kept'], ['refused', 'ask1: no', -5]]],
  ['{"id":0,"result":1,"error":{"message":""}}', [['kept'], ['refused', 'ask0: ', 0]]],
  ['{"id":0,"error":{"data":[],"code":2}}', [['kept'], ['refused', NO_REASON, 2]]],
  ['{"id":0,"error":"no"}', MALFORMED],
  ['{"id":0,"error":7}', MALFORMED],
  ['{"id":0,"error":false}', MALFORMED],
  ['{"id":0,"error":[]}', MALFORMED],
  ['{"id":0,"error":{"code":"1"}}', MALFORMED],
  ['{"id":0,"error":{"code":null}}', MALFORMED],
  ['{"id":0,"error":{"code":1e999}}', MALFORMED],
  ['{"id":0,"error":{"message":1}}', MALFORMED],
  ['{"id":0,"error":{"message":null}}', MALFORMED],
  // An error of a wrong shape spoils any message.
  ['{"method":"m","error":"no"}', MALFORMED],
  ['{"method":"m","id":3,"error":[]}', MALFORMED],
  ['{"method":"m","error":{"code":1,"message":"no"}}', [['notification', 'm', {}]]],
];

for (const [line, expected] of TABLE) {
  test(`a peer hears ${line === '' ? 'an empty line' : line}`, async () => {
    assert.deepEqual(await heard(line), expected === MALFORMED ? [['malformed', line]] : expected);
  });
}

test('messages carry the fields that the other side wants, and a request may wait for as long as it lives', async () => {
  const sent: unknown[] = [];
  const peer = new JsonRpcPeer({
    envelope: {jsonrpc: '2.0'},
    write: (line) => void sent.push(JSON.parse(line)),
    onRequest: async () => ({result: null}),
    onNotification: () => {},
    onMalformed: () => {},
    onLine: () => {},
  });
  const answer = peer.request('prompt', {text: 'Hello.'}, null);
  peer.notify('cancel', {id: 1});
  peer.notify('ready');
  assert.deepEqual(sent, [
    {jsonrpc: '2.0', method: 'prompt', id: 0, params: {text: 'Hello.'}},
    {jsonrpc: '2.0', method: 'cancel', params: {id: 1}},
    {jsonrpc: '2.0', method: 'ready'},
  ]);
  peer.receive('{"jsonrpc":"2.0","id":0,"result":"Good morning."}');
  assert.equal(await answer, 'Good morning.');
});
