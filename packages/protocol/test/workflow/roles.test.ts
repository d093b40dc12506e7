import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Role} from '../../src/settings.ts';
import {codexOptions, errors, read, warnings, workflowIn} from './fixture.ts';

const TRACKER = 'tracker: {kind: folder}';

function roles(yaml: string): readonly Role[] {
  return workflowIn(read(`${TRACKER}\n${yaml}`)).roles ?? assert.fail('no roles');
}

function faults(yaml: string): readonly string[] {
  return errors(read(`${TRACKER}\n${yaml}`));
}

test('a file without roles has none, however the key is written', () => {
  assert.ok(!('roles' in workflowIn(read(TRACKER))));
  assert.ok(!('roles' in workflowIn(read(`${TRACKER}\nroles:`))));
  assert.ok(!('roles' in workflowIn(read(`${TRACKER}\nroles: {}`))));
});

test('a role overrides what it names, and has the rest of the file', () => {
  const yaml = `agent: {model: large, effort: low, max_turns: 9, stall_timeout_ms: 7}
roles:
  docs: {when: {labels: docs}, model: small, effort: high, max_turns: 2, access: read}
  plain: {when: {labels: [x]}}`;
  const workflow = workflowIn(read(`${TRACKER}\n${yaml}`));
  const [docs, plain] = workflow.roles ?? [];
  const {agent} = workflow.settings;
  const given = {model: 'small', effort: 'high', maxTurns: 2, access: 'read'} as const;
  const options = {...codexOptions(agent), thread_sandbox: 'read-only'};
  assert.deepEqual(docs?.agent, {...agent, ...given, options});
  assert.deepEqual(plain?.agent, agent);
  assert.deepEqual(plain?.prompt, workflow.prompt);
});

test('rules are read in the order of the file, in the forms of the tracker', () => {
  const found = roles(`roles:
  urgent: {when: {priority: 1, title: "Crash, now"}}
  docs: {when: {labels: [" Docs ", text], states: "Todo, In Progress", priority: [2, "3"], title: [Typo]}}`);
  assert.deepEqual(
    found.map(({name, when}) => ({name, ...when})),
    [
      {name: 'urgent', labels: null, states: null, priority: [1], title: ['crash, now']},
      {
        name: 'docs',
        labels: ['docs', 'text'],
        states: ['todo', 'in progress'],
        priority: [2, 3],
        title: ['typo'],
      },
    ],
  );
});

test('what cannot be a role is an error at its place', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['roles: [a]', ['3:1: roles is a list; give a map from names to roles']],
    [
      'roles:\n  worker: {when: {labels: [x]}}',
      ['4:3: roles.worker is reserved: it is this file itself; give the role another name'],
    ],
    [
      'roles:\n  Docs: {when: {labels: [x]}}',
      [
        '4:3: the name of a role is "Docs"; give a lower-case letter, then up to 39 letters, digits, "-" and "_"',
      ],
    ],
    [
      'roles:\n  docs: 3',
      [
        '4:3: roles.docs is 3; give a map of when, prompt, agent, model, effort, max_turns, access, product, parent',
      ],
    ],
    [
      'roles:\n  docs: {when: {labels: [x]}, agent: kodex}',
      ['4:31: roles.docs.agent is "kodex"; give "codex" or "claude" or "acp"'],
    ],
    [
      'roles:\n  docs: {when: {labels: [x]}, max_turns: 0}',
      ['4:31: roles.docs.max_turns is 0; give a whole number of at least 1'],
    ],
    [
      'roles:\n  docs: {when: {labels: [x]}, access: all}',
      ['4:31: roles.docs.access is "all"; give "write" or "artifact" or "read"'],
    ],
    [
      'roles:\n  docs: {when: [docs]}',
      ['4:10: roles.docs.when is a list; give a map of labels, states, priority, title'],
    ],
    [
      'roles:\n  docs:\n    when: {priority: [high]}',
      ['5:23: roles.docs.when.priority[0] is "high"; give a priority or a list of priorities'],
    ],
    [
      'roles:\n  docs:\n    when: {}',
      ['5:5: roles.docs.when is a map; give at least one of labels, states, priority, title'],
    ],
    [
      'roles:\n  docs:\n    when: {label: docs}',
      ['5:12: roles.docs.when.label is not a known key; did you mean labels?'],
    ],
    [
      'roles:\n  docs:\n    when: {labels: [docs], stats: [Todo]}',
      ['5:28: roles.docs.when.stats is not a known key; did you mean states?'],
    ],
  ];
  for (const [yaml, expected] of cases) assert.deepEqual(faults(yaml), expected, yaml);
});

test('an unknown key of a role is a warning, with the known one that is near', () => {
  const reading = read(`${TRACKER}\nroles:\n  docs: {when: {labels: [x]}, max_turn: 3}`);
  assert.ok(reading.ok);
  assert.deepEqual(warnings(reading), [
    '4:31: roles.docs.max_turn is not a known key; did you mean max_turns?',
  ]);
});

test('what a role cannot make yet is refused, and so is what contradicts itself', () => {
  for (const product of ['subtasks', 'issues']) {
    assert.deepEqual(faults(`roles:\n  plan: {when: {labels: [x]}, product: ${product}}`), [
      `4:31: roles.plan.product is "${product}", which is not available yet; leave it out`,
    ]);
  }
  assert.deepEqual(faults('roles:\n  look: {when: {labels: [x]}, product: code, access: read}'), [
    '4:31: roles.look.product is "code", but roles.look.access is read, and such an agent makes no code',
  ]);
  assert.deepEqual(faults('roles:\n  plan: {when: {labels: [x]}, parent: work}'), [
    '4:31: roles.plan.parent is "work", which says something with product: subtasks only; leave it out',
  ]);
  assert.equal(roles('roles:\n  a: {when: {labels: [x]}, product: code}').length, 1);
});

test('a role that takes no issue, and a state that no issue is reserved in, are warnings', () => {
  const reading = read(
    `${TRACKER}\nroles:\n  idle: {model: m}\n  late: {when: {states: [Todoo, Review]}}`,
  );
  assert.ok(reading.ok);
  assert.deepEqual(warnings(reading), [
    '4:3: roles.idle has no when, so no issue is given to it',
    '5:17: roles.late.when.states has "Todoo", which is not an active state; did you mean Todo?',
    '5:17: roles.late.when.states has "Review", which is not an active state',
  ]);
  assert.equal(reading.warnings[0]?.code, 'unused_role');
});

test('a sandbox of the file that is wider than the access of a role is an error for that role', () => {
  const yaml = `codex:\n  thread_sandbox: workspace-write\nroles:\n  look: {when: {labels: [x]}, access: read}`;
  assert.deepEqual(faults(yaml), [
    '4:3: for roles.look: codex.thread_sandbox is "workspace-write", which allows more than agent.access: read; leave one of them out',
  ]);
});

test('a warning about the section of an agent is told once, whatever roles use it', () => {
  const yaml = `codex: {thread_sandbox: readonly}
roles:
  one: {when: {labels: [x]}, access: read}
  two: {when: {labels: [y]}, access: artifact}`;
  const found = warnings(read(`${TRACKER}\n${yaml}`));
  assert.equal(found.filter((warning) => warning.includes('thread_sandbox')).length, 1);
});

test('more roles than anyone needs are refused', () => {
  const many = Array.from({length: 51}, (_, index) => `  r${index}: {when: {labels: [x]}}`);
  assert.deepEqual(faults(`roles:\n${many.join('\n')}`), [
    '3:1: roles has 51 entries; give at most 50',
  ]);
});
