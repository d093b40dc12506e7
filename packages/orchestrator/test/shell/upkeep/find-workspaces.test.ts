import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import type {Issue} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../../test/rig/fixtures/folder.ts';
import {workspacesIn} from '../../../src/shell/host/local/workspace-folders.ts';
import {type AskTracker, findWorkspaces} from '../../../src/shell/upkeep/find-workspaces.ts';
import {anIssue, aWorkflow} from '../../core/builders.ts';

const HOST = {name: 'here', workspacesIn};

/** A tracker that knows these issues, and notes what it was asked. */
function aTracker(issues: readonly Issue[]) {
  const asked: Record<'ids' | 'identifiers', string[]> = {ids: [], identifiers: []};
  const ask: AskTracker = {
    issuesByIds: async (ids) => {
      asked.ids.push(...ids);
      return {ok: true, value: issues.filter(({id}) => ids.includes(id)), warnings: []};
    },
    issuesByIdentifiers: async (identifiers) => {
      asked.identifiers.push(...identifiers);
      const value = issues.filter(({identifier}) => identifiers.includes(identifier));
      return {ok: true, value, warnings: []};
    },
  };
  return {asked, ask};
}

function workflowIn(root: string) {
  const workflow = aWorkflow();
  return {...workflow, settings: {...workflow.settings, workspace: {root, keepUnpushed: true}}};
}

test('by record, by the owner that the runner noted, and else by the name of the folder', async () => {
  await using folder = await aFolder();
  const at = (name: string) => join(folder.path, name);
  for (const name of ['ABC-1', 'ABC-2', 'ABC-3', 'unknown', '.git', '.symphony/owners']) {
    await mkdir(at(name), {recursive: true});
  }
  // To open it would block a thread of ours for ever.
  execFileSync('mkfifo', [at('.symphony/owners/ABC-3.json')]);
  await writeFile(at('.symphony/owners/ABC-2.json'), JSON.stringify({issue_id: 'two'}));
  await writeFile(at('a-file'), '');
  await symlink('/etc', at('ABC-4'));
  const issues = [
    anIssue({id: 'one', identifier: 'ABC-1'}),
    anIssue({id: 'two', identifier: 'ABC-2'}),
    anIssue({id: 'three', identifier: 'ABC-3'}),
    anIssue({id: 'four', identifier: 'ABC-4'}),
    anIssue({id: 'moved', identifier: 'ABC-5'}),
    anIssue({id: 'git', identifier: '.git'}),
    anIssue({id: 'far', identifier: 'ABC-9'}),
  ];
  const {asked, ask} = aTracker(issues);
  const recorded = [
    {issueId: 'one', host: 'here', path: at('ABC-1')},
    {issueId: 'moved', host: 'here', path: '/an/old/root/ABC-5'},
    // Made by a version that let an issue have this name.
    {issueId: 'git', host: 'here', path: at('.git')},
    {issueId: 'far', host: 'elsewhere', path: at('ABC-2')},
  ];
  const found = await findWorkspaces(HOST, workflowIn(folder.path), recorded, ask);
  assert.ok(found.ok);
  assert.deepEqual(
    found.value.map(({issue, host, path}) => [issue.id, host, path]),
    [
      ['one', 'here', at('ABC-1')],
      ['moved', 'here', '/an/old/root/ABC-5'],
      ['git', 'here', at('.git')],
      ['far', 'elsewhere', at('ABC-2')],
      ['two', 'here', at('ABC-2')],
      ['three', 'here', at('ABC-3')],
    ],
  );
  assert.deepEqual(asked.ids, ['one', 'moved', 'git', 'far', 'two']);
  assert.deepEqual(asked.identifiers, ['ABC-3', 'unknown'], "a link is nobody's workspace");
});

test("a folder that is spelled like another identifier is not that issue's", async () => {
  await using folder = await aFolder();
  await mkdir(join(folder.path, 'a_b'));
  const {ask} = aTracker([]);
  // A provider that is careless about what it was asked for.
  const value = [anIssue({id: 'x', identifier: 'a/b'})];
  const careless = {
    ...ask,
    issuesByIdentifiers: async () => ({ok: true, value, warnings: []}) as const,
  };
  const found = await findWorkspaces(HOST, workflowIn(folder.path), [], careless);
  assert.deepEqual(found, {ok: true, value: [], warnings: []});
});

test('a tracker that cannot be asked by name leaves such folders alone; one that is down fails the sweep', async () => {
  await using folder = await aFolder();
  await mkdir(join(folder.path, 'ABC-1'));
  const {ask} = aTracker([]);
  const failing = (code: 'invalid_tracker_config' | 'tracker_request') => ({
    ...ask,
    issuesByIdentifiers: async () => ({ok: false, failure: {code, message: 'no'}}) as const,
  });
  const workflow = workflowIn(folder.path);
  const cannot = await findWorkspaces(HOST, workflow, [], failing('invalid_tracker_config'));
  assert.deepEqual(cannot, {ok: true, value: [], warnings: []});
  const isDown = await findWorkspaces(HOST, workflow, [], failing('tracker_request'));
  assert.equal(isDown.ok, false);
});

test('a root that does not exist yet has no workspaces', async () => {
  const found = await findWorkspaces(HOST, workflowIn('/nowhere/at/all'), [], aTracker([]).ask);
  assert.deepEqual(found, {ok: true, value: [], warnings: []});
});
