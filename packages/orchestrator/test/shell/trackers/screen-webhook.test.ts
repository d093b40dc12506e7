import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {TrackerSettings} from '@symphony-supervisor/protocol';
import {PROFILES} from '@symphony-supervisor/tracker';
import {screenWebhook} from '../../../src/shell/trackers/screen-webhook.ts';
import {aWorkflow} from '../../core/builders.ts';

const HEX = 'a1'.repeat(32);

function screen(kind: string, hasSecret: boolean, headers: Record<string, string>): string {
  const secrets = hasSecret ? {webhook_secret: {from: 'value', value: 's'} as const} : {};
  const settings: TrackerSettings = {...aWorkflow().settings.tracker, kind, secrets};
  return screenWebhook(settings, PROFILES, headers)?.is ?? 'worth reading';
}

test('without a project, a webhook of its tracker or a secret it is unknown', () => {
  assert.deepEqual(screenWebhook(undefined, PROFILES, {}), {is: 'unknown'});
  assert.equal(screen('file', true, {}), 'unknown');
  assert.equal(screen('linear', false, {'linear-signature': HEX}), 'unknown');
});

test('a signature must have the form of its tracker', () => {
  const github = (text: string) => screen('github', true, {'x-hub-signature-256': text});
  const linear = (text: string) => screen('linear', true, {'linear-signature': text});
  assert.equal(linear(HEX), 'worth reading');
  assert.equal(github(`sha256=${HEX}`), 'worth reading');
  for (const text of ['', HEX.slice(1), `${HEX}0`, 'g'.repeat(64), `sha1=${HEX}`]) {
    assert.equal(linear(text), 'refused', text);
    assert.equal(github(text), 'refused', text);
  }
  assert.equal(screen('github', true, {'linear-signature': HEX}), 'refused');
});
