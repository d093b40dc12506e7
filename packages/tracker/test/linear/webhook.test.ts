import assert from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {after, test} from 'node:test';
import {LinearTracker} from '../../src/linear/adapter.ts';
import {secretResolver} from '../../src/thread/secrets.ts';
import {aLinear, settingsFor, WEBHOOK_SECRET} from './open-linear.ts';

const NOW = Date.parse('2026-05-05T12:00:00Z');
const linear = await aLinear();
after(() => linear[Symbol.asyncDispose]());

function delivery(payload: unknown, secret = WEBHOOK_SECRET) {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {headers: {'linear-signature': signature}, body};
}

async function verdict({headers, body}: {headers: Record<string, string>; body: Uint8Array}) {
  return (await linear.tracker.verifyWebhook(headers, body, NOW)).is;
}

const NEWS = {action: 'update', type: 'Issue', data: {}, webhookTimestamp: NOW - 5_000};

test('a signed and recent delivery about issues is accepted, about anything else ignored', async () => {
  assert.equal(await verdict(delivery(NEWS)), 'accepted');
  assert.equal(await verdict(delivery({...NEWS, type: 'Reaction'})), 'ignored');
  assert.equal(await verdict(delivery({...NEWS, type: {toString: 1}})), 'ignored');
});

test('what is not signed with our secret is refused', async () => {
  const good = delivery(NEWS);
  const forged = {...good, body: Buffer.from(good.body.toString().replace('update', 'remove'))};
  const short = {headers: {'linear-signature': 'abc'}, body: good.body};
  for (const bad of [delivery(NEWS, 'another secret'), forged, short, {...good, headers: {}}]) {
    assert.equal(await verdict(bad as typeof good), 'refused');
  }
});

test('a recording is refused, however well it is signed', async () => {
  for (const age of [61_000, -61_000, 86_400_000]) {
    assert.equal(await verdict(delivery({...NEWS, webhookTimestamp: NOW - age})), 'refused');
  }
  for (const payload of ['', 'null', '[]', '{"type":"Issue"}', 'no JSON']) {
    assert.equal(await verdict(delivery(payload)), 'refused', payload);
  }
});

test('without a secret nothing is accepted', async () => {
  const settings = settingsFor({team_key: 'ENG'});
  const {webhook_secret: _, ...secrets} = settings.secrets;
  await using tracker = new LinearTracker(
    {...settings, secrets},
    {resolveSecret: secretResolver({LINEAR_API_KEY: 'key'})},
  );
  const {headers, body} = delivery(NEWS, '');
  const refused = await tracker.verifyWebhook(headers, body, NOW);
  assert.ok(refused.is === 'refused');
  assert.match(refused.why, /webhook_secret is not set/);
});
