import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import {test} from 'node:test';
import {BodySlots} from '../../src/http/body-slots.ts';
import type {Delivery, DeliveryVerdict} from '../../src/http/index.ts';
import {openStore} from '../../src/store/index.ts';
import {codeOf, rawRequest} from './raw-request.ts';
import {Served} from './served.ts';

const NEVER = {polling: {interval_ms: 3_600_000}};

test('what a tracker sends reaches the judge as it came, and its verdict decides', async () => {
  const seen: [string, Delivery][] = [];
  const verdicts: DeliveryVerdict[] = [
    {is: 'accepted'},
    {is: 'ignored', why: 'a star was given'},
    {is: 'refused', why: 'the signature is wrong'},
    {is: 'unknown'},
    {is: 'failed', why: 'the tracker thread is starting'},
  ];
  await using served = await Served.start({
    settings: NEVER,
    listeners: {
      webhook: async (project, delivery) => {
        seen.push([project, delivery]);
        return verdicts.shift() ?? {is: 'unknown'};
      },
    },
  });
  const body = '{"a":  1}\u0000ü';
  // Neither the name nor the origin matters, nor what it says that it is.
  const headers = {host: 'evil.example', origin: 'http://evil.example', 'x-signature': 'abc'};
  const send = () =>
    rawRequest(served.url, '/webhooks/p', {
      ...{method: 'POST', body},
      headers: {...headers, 'content-type': 'text/odd'},
    });
  await served.until(({polling}) => !polling.checking);
  const nextPollAt = () => {
    const poll = served.supervisor.state.projects.get('p')?.poll;
    return poll?.is === 'waiting' ? poll.nextAt : null;
  };
  const before = nextPollAt() ?? 0;
  const accepted = await send();
  assert.deepEqual([accepted.status, JSON.parse(accepted.body).accepted], [202, true]);
  await served.until(() => (nextPollAt() ?? 0) > before);
  assert.ok(
    served.logged.some((line) =>
      /"level":"debug","event":"webhook.accepted","project":"p"/.test(line),
    ),
  );
  assert.equal(seen[0]?.[0], 'p');
  assert.equal(Buffer.from(seen[0]?.[1].body ?? []).toString(), body);
  assert.equal(seen[0]?.[1].headers['x-signature'], 'abc');
  const ignored = await send();
  assert.deepEqual([ignored.status, JSON.parse(ignored.body).accepted], [200, false]);
  for (const [status, code] of [
    [401, 'unauthorized'],
    [404, 'project_not_found'],
    [503, 'unavailable'],
  ] as const) {
    const answer = await send();
    assert.deepEqual([answer.status, codeOf(answer)], [status, code]);
  }
  await served.stop();
  const {store} = openStore(served.stateDir);
  const actions = store.actions(100);
  await store[Symbol.asyncDispose]();
  assert.deepEqual(actions, [], "a webhook is nobody's order");
});

test('a delivery beyond the limit is not read', async () => {
  let judged = 0;
  const webhook = async (): Promise<DeliveryVerdict> => {
    judged++;
    return {is: 'accepted'};
  };
  await using served = await Served.start({settings: NEVER, listeners: {webhook}});
  const body = 'x'.repeat(3 * 1024 * 1024);
  const answer = await fetch(`${served.url}/webhooks/p`, {method: 'POST', body}).catch(() => null);
  // Whether the answer is seen by one who is still sending is up to his machine.
  assert.ok(answer === null || answer.status === 413);
  assert.equal(judged, 0);
});

/** The head of a delivery whose body never comes; resolves with what is answered until the end. */
async function deliverNoBody(url: string, path: string): Promise<string> {
  const {port} = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
  let heard = '';
  socket.setEncoding('latin1').on('data', (text) => {
    heard += text;
  });
  socket.on('error', () => {}); // 'close' follows
  await once(socket, 'close');
  return heard;
}

test('what needs no look at the body is refused before it, and its connection is closed', async () => {
  const verdicts = {p: null, q: {is: 'unknown'}, r: {is: 'refused', why: 'no signature'}} as const;
  await using served = await Served.start({
    settings: NEVER,
    listeners: {screenWebhook: (project) => verdicts[project as keyof typeof verdicts]},
  });
  assert.match(
    await deliverNoBody(served.url, '/webhooks/q'),
    /^HTTP\/1\.1 404 .*project_not_found/s,
  );
  assert.match(await deliverNoBody(served.url, '/webhooks/r'), /^HTTP\/1\.1 401 .*no signature/s);
});

test('eight deliveries at a time; the ninth is to come again', async () => {
  let judgeAll: (verdict: DeliveryVerdict) => void = () => {};
  const judging = new Promise<DeliveryVerdict>((resolve) => {
    judgeAll = resolve;
  });
  let judged = 0;
  let allWait = () => {};
  const eightWait = new Promise<void>((resolve) => {
    allWait = resolve;
  });
  const webhook = async (): Promise<DeliveryVerdict> => {
    if (++judged === 8) allWait();
    return judging;
  };
  await using served = await Served.start({settings: NEVER, listeners: {webhook}});
  const send = () => rawRequest(served.url, '/webhooks/p', {method: 'POST', body: '{}'});
  const first = Array.from({length: 8}, send);
  await eightWait;
  const ninth = await send();
  assert.deepEqual([ninth.status, codeOf(ninth)], [503, 'unavailable']);
  assert.equal(ninth.headers['retry-after'], '5');
  judgeAll({is: 'ignored', why: 'nothing of ours'});
  for (const answer of await Promise.all(first)) assert.equal(answer.status, 200);
  assert.equal((await send()).status, 200);
});

test('a body that does not come in time gives its slot back', async () => {
  const slots = new BodySlots(1);
  const server = createServer((request, response) => {
    slots.take(request, response);
    request.resume();
  }).listen(0, '127.0.0.1');
  using _closed = {[Symbol.dispose]: () => void server.close()};
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // `take` throws if all are taken; as many as would be too many come and go.
  for (let count = 0; count < 9; count++) assert.equal(await deliverNoBody(url, '/'), '');
});

test('a listener for webhooks alone serves nothing else, and they are served nowhere else', async () => {
  const webhook = async (): Promise<DeliveryVerdict> => ({is: 'accepted'});
  const webhooks = {host: '127.0.0.1', port: 0};
  await using served = await Served.start({settings: NEVER, listeners: {webhook, webhooks}});
  const url = served.listeners.webhookUrl ?? assert.fail();
  const post = (where: string) => rawRequest(where, '/webhooks/p', {method: 'POST', body: '{}'});
  assert.equal((await post(url)).status, 202);
  const headers = {authorization: `Bearer ${await served.token()}`};
  for (const path of ['/', '/app.js', '/livez', '/readyz', '/metrics', '/api/v1/state']) {
    const answer = await rawRequest(url, path, {headers});
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found'], path);
  }
  assert.equal((await served.raw('/webhooks/p', {method: 'POST'})).status, 404);
});
