import assert from 'node:assert/strict';
import {test} from 'node:test';
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
    doors: {
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
  await using served = await Served.start({settings: NEVER, doors: {webhook}});
  const body = 'x'.repeat(3 * 1024 * 1024);
  const answer = await fetch(`${served.url}/webhooks/p`, {method: 'POST', body}).catch(() => null);
  // Whether the answer is seen by one who is still sending is up to his machine.
  assert.ok(answer === null || answer.status === 413);
  assert.equal(judged, 0);
});
