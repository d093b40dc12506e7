import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PermissionRequest} from '../../../src/agent/acp/messages.ts';
import {
  answerOf,
  decide,
  namesOf,
  type PermissionRules,
} from '../../../src/agent/acp/permissions.ts';

const OPTIONS = [
  {optionId: 'a', kind: 'allow_always'},
  {optionId: 'b', kind: 'allow_once'},
  {optionId: 'c', kind: 'reject_always'},
  {optionId: 'd', kind: 'reject_once'},
];

function rules(fields: Partial<PermissionRules> = {}): PermissionRules {
  const ownTools = new Set(namesOf('symphony', 'look'));
  return {access: 'write', permissions: 'allow', cwd: '/ws/A-1', ownTools, ...fields};
}

function decided(
  toolCall: Record<string, unknown>,
  fields: Partial<PermissionRules> = {},
  options = OPTIONS,
) {
  const request = PermissionRequest.parse({toolCall, options});
  const decision = decide(request, rules(fields));
  return {is: decision.is, what: decision.what, ...answerOf(decision, request)};
}

const chosen = (optionId: string) => ({outcome: 'selected', optionId});

test('an option is chosen by its kind, and for once if that is offered', () => {
  const run = {kind: 'execute', title: 'ls'};
  const outcome = (...kinds: string[]) => {
    const options = OPTIONS.filter(({kind}) => kinds.includes(kind));
    return [
      (decided(run, {}, options) as {outcome?: unknown}).outcome,
      (decided(run, {permissions: 'ask'}, options) as {outcome?: unknown}).outcome,
    ];
  };
  const all = OPTIONS.map(({kind}) => kind);
  assert.deepEqual(outcome(...all), [chosen('b'), chosen('d')]);
  assert.deepEqual(outcome('allow_always', 'reject_always'), [chosen('a'), chosen('c')]);
  assert.deepEqual(outcome(), [{outcome: 'cancelled'}, {outcome: 'cancelled'}]);
});

test('what cannot be allowed is refused', () => {
  const options = OPTIONS.filter(({kind}) => kind === 'reject_once');
  assert.equal(decided({kind: 'execute', title: 'ls'}, {}, options).is, 'refused');
});

test('with permissions: ask a person decides, and is told what about', () => {
  const ask = {permissions: 'ask'} as const;
  const run = {kind: 'execute', title: 'x', rawInput: {command: 'rm -r build'}};
  assert.deepEqual([decided(run, ask).is, decided(run, ask).what], ['asked', 'run rm -r build']);
  const edit = {kind: 'edit', title: 'x', locations: [{path: '/ws/A-1/a.ts'}]};
  assert.equal(decided(edit, ask).what, 'edit /ws/A-1/a.ts');
  assert.equal(decided({}, ask).what, 'use something that it did not name');
});

test('tools of the run are always allowed, by the names that agents give them', () => {
  const strict = {permissions: 'ask', access: 'read'} as const;
  for (const name of ['mcp__symphony__look', 'symphony_look']) {
    assert.equal(decided({name, title: 'anything', kind: 'other'}, strict).is, 'allowed');
    assert.equal(decided({title: name, kind: 'other'}, strict).is, 'allowed');
  }
  assert.equal(decided({name: 'mcp__other__look', kind: 'other'}, strict).is, 'refused');
});

test('a command or a change cannot pass for a tool of the run', () => {
  const strict = {permissions: 'ask', access: 'read'} as const;
  for (const kind of ['execute', 'edit', 'delete', 'move']) {
    assert.equal(decided({title: 'symphony_look', kind}, strict).is, 'refused');
  }
  const named = {name: 'Bash', title: 'symphony_look', kind: 'other'};
  assert.equal(decided(named, strict).is, 'refused');
});

test('access: read allows what reads, and nothing else', () => {
  for (const kind of ['read', 'search', 'think', 'fetch']) {
    assert.equal(decided({kind}, {access: 'read'}).is, 'allowed', kind);
  }
  for (const kind of ['edit', 'delete', 'move', 'execute', 'switch_mode', 'other', 'new', null]) {
    assert.equal(decided({kind}, {access: 'read'}).is, 'refused', String(kind));
  }
});

test('access: artifact also allows changes of files in the workspace, outside of .git', () => {
  const edit = (...paths: string[]) =>
    decided({kind: 'edit', locations: paths.map((path) => ({path}))}, {access: 'artifact'}).is;
  assert.equal(edit('/ws/A-1/docs/plan.md'), 'allowed');
  assert.equal(edit('docs/plan.md'), 'allowed');
  for (const path of ['/ws/A-2/x', '/ws/A-1', '../x', '/ws/A-1/.git/config', '.GIT/hooks/x', '']) {
    assert.equal(edit(path), 'refused', path);
  }
  assert.equal(edit('docs/plan.md', '/etc/passwd'), 'refused');
  assert.equal(edit(), 'refused', 'it names nothing');
  assert.equal(decided({kind: 'execute', title: 'ls'}, {access: 'artifact'}).is, 'refused');
});
