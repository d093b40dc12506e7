import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Settings} from '../../src/index.ts';
import {codexOptions, errors, read, settings, warnings} from './fixture.ts';

const TRACKER = 'tracker: {kind: folder}';
const COUNT = 'a whole number of at least 1';
const LIMIT = 'a whole number of at least 0';
const SPAN = 'a whole number from 1 to 2147483647';
const TEXT = 'a non-blank string';

const NO_WEBHOOKS = {webhookPort: null, webhookHost: '127.0.0.1'};

test('what is left out, or left empty, has its default', () => {
  const expected: Settings = {
    name: 'acme',
    tracker: {
      kind: 'folder',
      provider: {path: '/projects/acme/issues'},
      secrets: {},
      secretNames: [],
      activeStates: ['Todo', 'In Progress'],
      terminalStates: ['Done', 'Closed'],
      unstartedStates: ['Todo'],
      requiredLabels: [],
      excludedLabels: [],
      inProgressState: null,
      handoffState: null,
    },
    polling: {intervalMs: 30_000},
    workspace: {root: '/tmp/symphony_workspaces', keepUnpushed: true},
    hooks: {
      afterCreate: null,
      beforeRun: null,
      afterRun: null,
      deliver: null,
      beforeRemove: null,
      timeoutMs: 60_000,
    },
    agent: {
      command: 'codex app-server',
      model: null,
      effort: null,
      access: 'write',
      turnTimeoutMs: 3_600_000,
      readTimeoutMs: 5_000,
      stallTimeoutMs: 300_000,
      onInput: 'hold',
      options: {
        kind: 'codex',
        approval_policy: 'never',
        thread_sandbox: 'workspace-write',
        turn_sandbox_policy: null,
      },
      maxConcurrentAgents: 10,
      maxConcurrentAgentsByState: {},
      maxTurns: 20,
      maxRetryBackoffMs: 300_000,
      maxConsecutiveFailures: 5,
      maxRuns: 30,
      maxTokens: 0,
      maxIdleRuns: 3,
      maxIdleTurns: 2,
      env: [],
      shell: 'plain',
    },
    server: {port: null, host: '127.0.0.1', allowedHosts: [], publicRead: false, ...NO_WEBHOOKS},
    logs: {maxRunBytes: 32_000_000, maxTotalBytes: 5_000_000_000},
  };
  assert.deepEqual(settings(), expected);
  assert.deepEqual(settings('polling:\nworkspace: ~\nagent:\n  max_turns:\n  env: null'), expected);
});

test('every number has its range, and digits in quotes count', () => {
  const numbers: readonly [string, string, (from: Settings) => unknown, number[], unknown[]][] = [
    [
      'polling.interval_ms',
      SPAN,
      (s) => s.polling.intervalMs,
      [1, 2_147_483_647],
      [0, 2_147_483_648],
    ],
    ['hooks.timeout_ms', SPAN, (s) => s.hooks.timeoutMs, [1], [0, -5]],
    ['agent.max_concurrent_agents', COUNT, (s) => s.agent.maxConcurrentAgents, [1], [0]],
    ['agent.max_turns', COUNT, (s) => s.agent.maxTurns, [1, 500], [0, 1.5, true, 1e300]],
    ['agent.max_retry_backoff_ms', SPAN, (s) => s.agent.maxRetryBackoffMs, [1], [0]],
    ['agent.max_consecutive_failures', LIMIT, (s) => s.agent.maxConsecutiveFailures, [0], [-1]],
    ['agent.max_runs', LIMIT, (s) => s.agent.maxRuns, [0], [-1]],
    ['agent.max_tokens', LIMIT, (s) => s.agent.maxTokens, [0, 5_000_000_000], [-1]],
    ['agent.max_idle_runs', LIMIT, (s) => s.agent.maxIdleRuns, [0], [-1]],
    ['agent.max_idle_turns', LIMIT, (s) => s.agent.maxIdleTurns, [0], [-1]],
    ['codex.turn_timeout_ms', SPAN, (s) => s.agent.turnTimeoutMs, [1], [0]],
    ['codex.read_timeout_ms', SPAN, (s) => s.agent.readTimeoutMs, [1], [0]],
    ['codex.stall_timeout_ms', 'a whole number', (s) => s.agent.stallTimeoutMs, [-1, 0, 1], [0.5]],
    [
      'server.port',
      'a whole number from 0 to 65535',
      (s) => s.server.port,
      [0, 65_535],
      [-1, 65_536],
    ],
  ];
  for (const [key, expects, pick, good, bad] of numbers) {
    const [section, name] = key.split('.');
    for (const value of good) {
      assert.equal(pick(settings(`${section}:\n  ${name}: ${value}`)), value, key);
      assert.equal(pick(settings(`${section}:\n  ${name}: "${value}"`)), value, key);
    }
    for (const value of bad) {
      const expected = (shown: string) => [`4:3: ${key} is ${shown}; give ${expects}`];
      const reading = (yaml: string) => read(`${TRACKER}\n${section}:\n  ${name}: ${yaml}`);
      assert.deepEqual(errors(reading(String(value))), expected(String(value)));
      assert.deepEqual(errors(reading(`"${value}"`)), expected(`"${value}"`));
    }
  }
});

test('texts are trimmed, but shell strings are left as they are', () => {
  const {agent, hooks, server} = settings(
    [
      'codex: {command: " $HOME/codex ~ ", model: " gpt ", effort: high, thread_sandbox: read-only}',
      'hooks:',
      '  after_create: |',
      '    git clone $REPO .',
      '  before_run: "  "',
      'server: {host: 0.0.0.0, allowed_hosts: [Box.Local, " b "], public_read: true}',
    ].join('\n'),
  );
  assert.equal(agent.command, ' $HOME/codex ~ ');
  assert.equal(agent.model, 'gpt');
  assert.equal(agent.effort, 'high');
  assert.equal(codexOptions(agent).thread_sandbox, 'read-only');
  assert.equal(hooks.afterCreate, 'git clone $REPO .\n');
  assert.equal(hooks.beforeRun, null);
  const hosts = {host: '0.0.0.0', allowedHosts: ['box.local', 'b']};
  assert.deepEqual(server, {port: null, ...hosts, publicRead: true, ...NO_WEBHOOKS});
});

test('a wrong value is told with its place, itself and what would be right', () => {
  const cases: readonly [string, string][] = [
    ['agent: 5', '3:1: agent is ***; give a map of kind, '],
    ['codex: [a]', '3:1: codex is a list; give a map of command, '],
    ['codex:\n  command: ""', '4:3: codex.command is ""; give a shell command'],
    ['codex:\n  model: 5', `4:3: codex.model is 5; give ${TEXT}`],
    ['codex:\n  on_input: wait', '4:3: codex.on_input is "wait"; give "hold" or "fail"'],
    ['codex:\n  approval_policy: 3', '4:3: codex.approval_policy is 3; give one of'],
    ['codex:\n  turn_sandbox_policy: off', '4:3: codex.turn_sandbox_policy is "off"; give a map'],
    ['prompt:\n  engine: ejs', '4:3: prompt.engine is "ejs"; give "mustache" or "liquid"'],
    ['hooks:\n  after_run: [a]', '4:3: hooks.after_run is a list; give a shell script'],
    ['server:\n  host: " "', `4:3: server.host is " "; give ${TEXT}`],
    [
      'server:\n  allowed_hosts: [a, 1]',
      '4:22: server.allowed_hosts[1] is 1; give a list of host names',
    ],
    ['name: a/b', '3:1: name is "a/b"; give a non-blank string without slashes'],
    ['name: ..', '3:1: name is ".."; give a non-blank string without slashes'],
    [`name: ${'x/'.repeat(40)}`, `3:1: name is "${'x/'.repeat(30)}…"; give`],
    ['workspace:\n  root: 7', '4:3: workspace.root is 7; give a path,'],
  ];
  for (const [yaml, expected] of cases) {
    const found = errors(read(`${TRACKER}\n${yaml}`));
    assert.equal(found.length, 1, found.join('\n'));
    assert.ok(found[0]?.startsWith(expected), `${found[0]}\nis not\n${expected}`);
  }
});

test('all errors of a file are found at once, in the order of the file', () => {
  const reading = read(
    [
      'workspace: {root: $NOWHERE}',
      'tracker: {kind: desk, api_key: $NO_KEY, handoff_state: Done}',
      'codex:',
      '  approval_policy: {reject: 1}',
      '  model: []',
      'agent: {max_turns: 0, env: [DESK_API_KEY]}',
      'server: {port: x}',
    ].join('\n'),
  );
  assert.deepEqual(errors(reading), [
    '2:13: workspace.root is $NOWHERE, but that variable is not set; set NOWHERE',
    '3:1: tracker.provider.project_slug is missing; give the slug of a project',
    '3:23: tracker.api_key is $NO_KEY, but that variable is not set; set NO_KEY',
    '3:41: tracker.handoff_state is "Done"; give a state that is neither active nor terminal',
    '5:21: codex.approval_policy.reject is 1; give a map from names to true or false',
    '6:3: codex.model is a list; give a non-blank string',
    '7:9: agent.max_turns is 0; give a whole number of at least 1',
    '7:29: agent.env names DESK_API_KEY, which holds a secret of the tracker; remove it',
    '8:10: server.port is "x"; give a whole number from 0 to 65535',
  ]);
  assert.ok(!reading.ok);
  assert.equal(reading.errors[6]?.key, 'agent.max_turns');
});

test('limits by state are kept by normalized name; a bad entry is ignored with a warning', () => {
  const reading = read(
    [
      TRACKER,
      'agent:',
      '  max_concurrent_agents_by_state:',
      '    " In Progress ": 2',
      '    TODO: "3"',
      '    review: 0',
      '    "": 4',
    ].join('\n'),
  );
  assert.ok(reading.ok);
  const {maxConcurrentAgentsByState} = reading.workflow.settings.agent;
  assert.deepEqual(maxConcurrentAgentsByState, {'in progress': 2, todo: 3});
  const expects = `give a map from state names to numbers, each ${COUNT}`;
  assert.deepEqual(warnings(reading), [
    `7:5: agent.max_concurrent_agents_by_state.review is 0 and is ignored; ${expects}`,
    `8:5: agent.max_concurrent_agents_by_state[""] is 4 and is ignored; ${expects}`,
  ]);
  assert.match(
    errors(read(`${TRACKER}\nagent: {max_concurrent_agents_by_state: 3}`))[0] ?? '',
    /^3:9: agent.max_concurrent_agents_by_state is 3; give a map/,
  );
});

test("Codex's own values are passed through, and the old approval object is translated", () => {
  const granular = settings('codex: {approval_policy: {granular: {rules: true}}}').agent;
  assert.deepEqual(codexOptions(granular).approval_policy, {granular: {rules: true}});
  const policy = settings('codex: {turn_sandbox_policy: {type: readOnly}}').agent;
  assert.deepEqual(codexOptions(policy).turn_sandbox_policy, {type: 'readOnly'});

  const old = read(
    `${TRACKER}\ncodex:\n  approval_policy:\n    reject: {sandbox_approval: true, rules: false}`,
  );
  assert.ok(old.ok);
  assert.deepEqual(codexOptions(old.workflow.settings.agent).approval_policy, {
    granular: {sandbox_approval: false, rules: true},
  });
  assert.deepEqual(warnings(old), [
    '5:5: codex.approval_policy.reject is no longer understood by Codex; it is read as "granular" with each value inverted',
  ]);
});

test('the prompt engine is told by the text unless it is given', () => {
  for (const [yaml, engine] of [
    ['', null],
    ['prompt: {engine: liquid}', 'liquid'],
    ['prompt: {engine: mustache}', 'mustache'],
  ] as const) {
    const reading = read(`${TRACKER}\n${yaml}`);
    assert.ok(reading.ok);
    assert.deepEqual(reading.workflow.prompt, {template: 'Do it.', engine});
  }
});

test('a complaint is one line, whatever the names in the file hold', () => {
  const states = 'active_states: ["To\\ndo"], in_progress_state: Doing';
  const [found] = errors(read(`tracker: {kind: folder, ${states}}`));
  assert.match(found ?? '', /^[^\n]*To do[^\n]*$/);
});
