import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {TrackerSettings} from '../../src/index.ts';
import {errors, read, warnings, workflowIn} from './fixture.ts';

/** The tracker of a sound file that says this about its `desk`. */
function desk(lines: string): TrackerSettings {
  return workflowIn(read(onDesk(lines))).settings.tracker;
}

/** The lines begin in the file's line 5. */
function onDesk(lines: string): string {
  const indented = lines.replaceAll(/^/gm, '  ');
  return `tracker:\n  kind: desk\n  project_slug: acme\n${indented}`;
}

test('an unsupported kind is told with those that there are, and the nearest', () => {
  const reading = read('tracker:\n  kind: dsek');
  assert.deepEqual(errors(reading), [
    '3:3: tracker.kind is "dsek"; give desk or folder or mirror; did you mean desk?',
  ]);
  assert.equal(!reading.ok && reading.errors[0]?.code, 'unsupported_tracker_kind');
  assert.deepEqual(errors(read('tracker: {kind: constructor}')), [
    '2:11: tracker.kind is "constructor"; give desk or folder or mirror',
  ]);
  assert.deepEqual(errors(read('tracker: {kind: 5}')), [
    '2:11: tracker.kind is 5; give a non-blank string',
  ]);
  assert.deepEqual(errors(read('tracker: {active_states: [a]}')), [
    '2:1: tracker.kind is missing; give desk or folder or mirror',
  ]);
});

test('flat keys and the provider map mean the same', () => {
  const flat = desk('endpoint: https://desk.example/$x/~\nassignee: me\napi_key: $OTHER_KEY');
  const nested = workflowIn(
    read(
      'tracker: {kind: desk, provider: {project_slug: acme, endpoint: https://desk.example/$x/~, assignee: me, api_key: $OTHER_KEY}}',
    ),
  ).settings.tracker;
  assert.deepEqual(flat, nested);
  assert.deepEqual(flat.provider, {
    project_slug: 'acme',
    endpoint: 'https://desk.example/$x/~',
    assignee: 'me',
  });
});

test('given both ways, they must agree', () => {
  assert.equal(desk('provider: {project_slug: acme}').provider.project_slug, 'acme');
  assert.equal(desk('provider: {project_slug: null}').provider.project_slug, 'acme');
  assert.deepEqual(
    errors(read(onDesk('provider: {project_slug: other, api_key: a}\napi_key: b'))),
    [
      '4:3: tracker.project_slug and tracker.provider.project_slug differ; give only one of them',
      '6:3: tracker.api_key and tracker.provider.api_key differ; give only one of them',
    ],
  );
});

test("the adapter's complaints are told like our own, where the value stands", () => {
  assert.deepEqual(errors(read('tracker:\n  kind: desk\n  project_slug: 5')), [
    '4:3: tracker.project_slug is 5; give the slug of a project',
  ]);
  assert.deepEqual(errors(read('tracker:\n  kind: desk\n  provider:\n    endpoint: x')), [
    '4:3: tracker.provider.project_slug is missing; give the slug of a project',
  ]);
  assert.deepEqual(errors(read(onDesk('provider:\n  labels:\n    - a\n    - 5'))), [
    '8:9: tracker.provider.labels[1] is 5; give a label',
  ]);
  assert.deepEqual(
    errors(read(onDesk('api_key: 5\nprovider: {assignee: me, labels: [a], api_key: 5}'))),
    [
      '6:3: tracker.provider is a map; give either assignee or labels',
      '6:41: tracker.provider.api_key is ***; give a string, or better $NAME for a variable that holds the secret',
    ],
  );
  assert.deepEqual(errors(read('tracker:\n  kind: desk\n  provider: key')), [
    '4:3: tracker.provider is ***; give a map',
  ]);
});

test('a secret is a reference to where it is', () => {
  const cases: readonly [string, TrackerSettings['secrets'][string], string[]][] = [
    ['', {from: 'env', name: 'DESK_API_KEY'}, ['DESK_API_KEY']],
    ['api_key:', {from: 'env', name: 'DESK_API_KEY'}, ['DESK_API_KEY']],
    ['api_key: $OTHER_KEY', {from: 'env', name: 'OTHER_KEY'}, ['DESK_API_KEY', 'OTHER_KEY']],
    ['api_key: abc', {from: 'value', value: 'abc'}, ['DESK_API_KEY']],
    ['api_key_file: k/a', {from: 'file', path: '/projects/acme/k/a'}, ['DESK_API_KEY']],
    ['provider: {api_key_file: ~/key}', {from: 'file', path: '/home/ada/key'}, ['DESK_API_KEY']],
    ['api_key_file: $WORK', {from: 'file', path: '/srv/work'}, ['DESK_API_KEY']],
  ];
  for (const [lines, secret, names] of cases) {
    const tracker = desk(lines);
    assert.deepEqual(tracker.secrets, {api_key: secret}, lines);
    assert.deepEqual(tracker.secretNames, names, lines);
    assert.deepEqual(tracker.provider, {project_slug: 'acme'}, lines);
  }
  const mirror = workflowIn(read('tracker: {kind: mirror}')).settings.tracker;
  assert.deepEqual(mirror.secrets, {});
});

test('a secret that is not there, or not one, is an error that never shows it', () => {
  const hint = 'set DESK_API_KEY, or give api_key or api_key_file';
  const silent = read(onDesk(''), {env: {DESK_API_KEY: ''}});
  assert.deepEqual(errors(silent), [
    `2:1: tracker.provider.api_key is missing, and DESK_API_KEY is not set; ${hint}`,
  ]);
  assert.equal(!silent.ok && silent.errors[0]?.code, 'missing_secret');
  const unset = '5:3: tracker.api_key is $EMPTY, but that variable is not set; set EMPTY';
  const text = 'give a string, or better $NAME for a variable that holds the secret';
  const cases: readonly [string, string][] = [
    ['api_key: $EMPTY', unset],
    ['api_key: 12345', `5:3: tracker.api_key is ***; ${text}`],
    ['api_key: " "', `5:3: tracker.api_key is ***; ${text}`],
    ['api_key: {a: b}', `5:3: tracker.api_key is a map; ${text}`],
    [
      'api_key_file: $EMPTY',
      '5:3: tracker.api_key_file is $EMPTY, but that variable is not set; set EMPTY',
    ],
    [
      'api_key_file: 5',
      '5:3: tracker.api_key_file is 5; give the path of a file that holds the secret',
    ],
    [
      'api_key: a\napi_key_file: b',
      '6:3: tracker.api_key and tracker.api_key_file are both given; give only one of them',
    ],
  ];
  for (const [lines, expected] of cases) {
    assert.deepEqual(errors(read(onDesk(lines))), [expected], lines);
  }
  assert.match(errors(read('tracker: desk-key'))[0] ?? '', /^2:1: tracker is \*\*\*; give a map/);
});

test('agent.env may not name a secret of the tracker, nor show one', () => {
  assert.deepEqual(workflowIn(read(`${onDesk('')}\nagent: {env: ["*", CI]}`)).settings.agent.env, [
    '*',
    'CI',
  ]);
  assert.deepEqual(
    errors(read(`${onDesk('api_key: $OTHER_KEY')}\nagent: {env: [CI, OTHER_KEY]}`)),
    ['6:19: agent.env names OTHER_KEY, which holds a secret of the tracker; remove it'],
  );
  assert.deepEqual(errors(read(`${onDesk('')}\nagent: {env: [KEY=secret]}`)), [
    '6:15: agent.env[0] is ***; give a list of variable names, or "*" for all',
  ]);
});

test('states are a list, or a comma-separated string', () => {
  const listed = desk('active_states: [" Todo ", Review, todo]\nterminal_states: [Done]');
  assert.deepEqual(listed.activeStates, ['Todo', 'Review']);
  assert.deepEqual(listed.terminalStates, ['Done']);
  assert.deepEqual(listed.unstartedStates, ['Todo']);
  assert.deepEqual(desk('active_states: "Todo, In Review,"').activeStates, ['Todo', 'In Review']);
  const expects = 'give a list or a comma-separated string of state names';
  for (const [lines, expected] of [
    ['active_states: [Todo, ""]', `5:25: tracker.active_states[1] is ""; ${expects}`],
    ['active_states: [Todo, 5]', `5:25: tracker.active_states[1] is 5; ${expects}`],
    ['terminal_states: " , "', `5:3: tracker.terminal_states is " , "; ${expects}`],
    ['terminal_states: {Done: 1}', `5:3: tracker.terminal_states is a map; ${expects}`],
  ] as const) {
    assert.deepEqual(errors(read(onDesk(lines))), [expected]);
  }
});

test('a state that is both active and terminal is terminal, with a warning', () => {
  const reading = read(onDesk('active_states: [Todo, done]\nterminal_states: [Done]'));
  assert.deepEqual(workflowIn(reading).settings.tracker.activeStates, ['Todo']);
  assert.deepEqual(warnings(reading), [
    '5:3: the state "done" is both active and terminal; it counts as terminal',
  ]);
  assert.deepEqual(warnings(read(onDesk('terminal_states: [Todo]'))), [
    '5:3: the state "Todo" is both active and terminal; it counts as terminal',
  ]);
});

test('the states that we write have their place among the others', () => {
  const fine = desk('in_progress_state: in progress\nhandoff_state: Human Review');
  assert.equal(fine.inProgressState, 'in progress');
  assert.equal(fine.handoffState, 'Human Review');
  const neither = 'give a state that is neither active nor terminal';
  for (const [lines, expected] of [
    [
      'in_progress_state: Doing',
      '5:3: tracker.in_progress_state is "Doing"; give an active state (Todo, In Progress)',
    ],
    ['handoff_state: todo', `5:3: tracker.handoff_state is "todo"; ${neither}`],
    ['handoff_state: DONE', `5:3: tracker.handoff_state is "DONE"; ${neither}`],
  ] as const) {
    assert.deepEqual(errors(read(onDesk(lines))), [expected]);
  }
  assert.deepEqual(
    errors(read('tracker: {kind: mirror, in_progress_state: Todo, handoff_state: Review}')),
    [
      '2:25: tracker.in_progress_state is "Todo", but the tracker mirror cannot write states; leave the key out',
      '2:50: tracker.handoff_state is "Review", but the tracker mirror cannot write states; leave the key out',
    ],
  );
});

test('a list of states that is wrong itself is not held against other keys', () => {
  const lines = errors(read(onDesk('active_states: [5]\nin_progress_state: Doing')));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /active_states\[0\]/);
});

test('labels are normalized; a blank one stays where all must be present', () => {
  const {requiredLabels, excludedLabels} = desk(
    'required_labels: [" Agent ", "", agent]\nexcluded_labels: [WIP, " "]',
  );
  assert.deepEqual(requiredLabels, ['agent', '']);
  assert.deepEqual(excludedLabels, ['wip']);
  assert.deepEqual(desk('required_labels: Agent, Bug').requiredLabels, ['agent', 'bug']);
  assert.equal(errors(read(onDesk('required_labels: ""'))).length, 1);
});
