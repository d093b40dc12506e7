import assert from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {test} from 'node:test';
import {GithubRig} from './rig.ts';

test('a webhook is believed by its signature, and heeded by its kind', async () => {
  await using rig = await GithubRig.start();
  const tracker = rig.tracker();
  const verdict = async (
    payload: unknown,
    {event = 'issues', secret = 'a-secret-for-hooks', sign = (hex: string) => `sha256=${hex}`} = {},
  ) => {
    const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    const headers = {'x-github-event': event, 'x-hub-signature-256': sign(hex)};
    return (await tracker.verifyWebhook(headers, body)).is;
  };
  const ours = {action: 'opened', repository: {full_name: 'acme/Widgets'}};
  assert.equal(await verdict(ours), 'accepted');
  assert.equal(await verdict({action: 'edited'}, {event: 'projects_v2_item'}), 'accepted');
  assert.equal(await verdict({repository: {full_name: 'Acme/gadgets'}}), 'ignored');
  assert.equal(await verdict(ours, {event: 'ping'}), 'ignored');
  assert.equal(await verdict(ours, {secret: 'another'}), 'refused');
  assert.equal(await verdict(ours, {sign: () => ''}), 'refused');
  assert.equal(await verdict(ours, {sign: (hex) => hex}), 'refused');
  assert.equal(await verdict(ours, {sign: (hex) => `sha256=${hex.slice(2)}`}), 'refused');
  assert.equal(await verdict('payload=%7B%7D'), 'refused');
  const unset = rig.tracker({}, {secrets: {}});
  assert.equal((await unset.verifyWebhook({}, Buffer.from('{}'))).is, 'refused');
});
