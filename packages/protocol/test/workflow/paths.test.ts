import assert from 'node:assert/strict';
import {test} from 'node:test';
import {errors, read, settings, warnings} from './fixture.ts';

test('paths start at the folder of the workflow file, and know ~ and $NAME', () => {
  for (const [given, expected] of [
    ['work', '/projects/acme/work'],
    ['../work/./x/', '/projects/work/x'],
    ['/abs//work', '/abs/work'],
    ['"~"', '/home/ada'],
    ['~/work', '/home/ada/work'],
    ['~other/work', '/projects/acme/~other/work'],
    ['$WORK', '/srv/work'],
    ['$TILDE', '/home/ada/w'],
    ['a$WORK', '/projects/acme/a$WORK'],
  ] as const) {
    const env = {WORK: '/srv/work', TILDE: '~/w'};
    assert.equal(settings(`workspace: {root: ${given}}`, {env}).workspace.root, expected);
    const provider = read(`tracker: {kind: folder, provider: {path: ${given}}}`, {env});
    assert.ok(provider.ok);
    assert.equal(provider.workflow.settings.tracker.provider.path, expected);
  }
});

test('a variable that is unset or empty is an error that names it', () => {
  for (const name of ['EMPTY', 'NOWHERE', 'constructor']) {
    const reading = read(`tracker: {kind: folder, provider: {path: $${name}}}`);
    assert.deepEqual(errors(reading), [
      `2:36: tracker.provider.path is $${name}, but that variable is not set; set ${name}`,
    ]);
    assert.equal(!reading.ok && reading.errors[0]?.code, 'missing_variable');
  }
});

test('a variable that is only part of a value is not read, with a warning', () => {
  const reading = read('tracker: {kind: folder}\nworkspace: {root: $HOME/work}');
  assert.ok(reading.ok);
  assert.equal(reading.workflow.settings.workspace.root, '/projects/acme/$HOME/work');
  assert.deepEqual(warnings(reading), [
    '3:13: workspace.root is "$HOME/work"; a variable is read only if $NAME is the whole value',
  ]);
  assert.deepEqual(warnings(read('tracker: {kind: desk, project_slug: a, api_key: $K-1}')), [
    '2:40: tracker.api_key is ***; a variable is read only if $NAME is the whole value',
  ]);
});

test('the default root has a folder for each of several projects', () => {
  assert.equal(settings('name: web').workspace.root, '/tmp/symphony_workspaces');
  const several = {severalProjects: true};
  assert.equal(settings('', several).workspace.root, '/tmp/symphony_workspaces/acme');
  assert.equal(settings('name: web', several).workspace.root, '/tmp/symphony_workspaces/web');
  assert.equal(settings('workspace: {root: /w}', several).workspace.root, '/w');
});

test('a project is named by its key, else by the folder of its file', () => {
  assert.equal(settings('name: " web "').name, 'web');
  assert.equal(settings('', {path: '/a/b/FLOW.md'}).name, 'b');
  assert.equal(settings('', {path: '/WORKFLOW.md'}).name, 'workflow');
});
