import assert from 'node:assert/strict';
import {test} from 'node:test';
import {read, warnings} from './fixture.ts';

test('an unknown key is a warning, with the known one that is near', () => {
  const cases: readonly [string, string[]][] = [
    ['agnet: {max_turns: 3}', ['3:1: agnet is not a known key; did you mean agent?']],
    ['agent:\n  max_turn: 3', ['4:3: agent.max_turn is not a known key; did you mean max_turns?']],
    ['codex: {x-ray: 1}', ['3:9: codex.x-ray is not a known key']],
    ['"a\\nb": 1', ['3:1: ["a\\nb"] is not a known key']],
    ['7: 1', ['3:1: 7 is not a known key']],
    ['constructor: 1', ['3:1: constructor is not a known key']],
  ];
  for (const [yaml, expected] of cases) {
    const reading = read(`tracker: {kind: folder}\n${yaml}`);
    assert.ok(reading.ok, yaml);
    assert.deepEqual(warnings(reading), expected);
    assert.equal(reading.warnings[0]?.code, 'unknown_key');
  }
});

test('below tracker, the adapter knows which keys there are', () => {
  const reading = read(
    'tracker:\n  kind: folder\n  project_slug: x\n  provider: {paht: a, path: b}\n  active_state: [Todo]',
  );
  assert.ok(reading.ok);
  assert.deepEqual(warnings(reading), [
    '4:3: tracker.project_slug is not a known key',
    '5:14: tracker.provider.paht is not a known key; did you mean path?',
    '6:3: tracker.active_state is not a known key; did you mean active_states?',
  ]);
  assert.deepEqual(reading.workflow.settings.tracker.provider, {
    path: '/projects/acme/b',
    paht: 'a',
  });
});

test('while the kind is unknown, no flat key is called unknown', () => {
  assert.deepEqual(warnings(read('tracker: {kind: x, api_key: k, api_key_file: f, assigne: a}')), [
    '2:49: tracker.assigne is not a known key; did you mean assignee?',
  ]);
});
