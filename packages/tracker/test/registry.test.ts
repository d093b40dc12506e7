import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {TrackerSettings} from '@symphony-supervisor/protocol';
import {openTracker, PROFILES, secretResolver} from '../src/index.ts';
import {soon, unwrap} from './file/folder-of-issues.ts';
import {trackerSettings} from './tracker-settings.ts';

const options = {resolveSecret: secretResolver({})};

function settings(kind: string, provider: Record<string, unknown> = {}): TrackerSettings {
  return {...trackerSettings(kind, provider), secrets: {api_key: {from: 'value', value: 'a-key'}}};
}

/** What a kind cannot be opened without. */
const NEEDED: Readonly<Record<string, Record<string, unknown>>> = {
  github: {repo: 'acme/widgets'},
  linear: {team_key: 'ENG'},
};

test('every profile names itself, and its kind can be opened', async () => {
  for (const [kind, profile] of Object.entries(PROFILES)) {
    assert.equal(profile.kind, kind);
    await using tracker = unwrap(await openTracker(settings(kind, NEEDED[kind]), options));
    assert.deepEqual(unwrap(await tracker.issuesByIds([], soon())), []);
  }
});

test('an unknown kind is refused with those that are known', async () => {
  for (const kind of ['jira', 'constructor', '']) {
    const answer = await openTracker(settings(kind), options);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.code, 'unsupported_tracker_kind');
    assert.match(answer.failure.message, /known: file, .*memory/);
  }
});

test('provider settings that make no sense are refused by key', async () => {
  const rows: [string, Record<string, unknown>, RegExp][] = [
    ['file', {path: 5}, /tracker\.provider\.path: expected the path of a folder/],
    ['file', {path: ' '}, /tracker\.provider\.path/],
    ['memory', {issues: {}}, /tracker\.provider\.issues: expected a list/],
  ];
  for (const [kind, provider, expected] of rows) {
    const answer = await openTracker(settings(kind, provider), options);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.code, 'invalid_tracker_config');
    assert.match(answer.failure.message, expected);
  }
});
