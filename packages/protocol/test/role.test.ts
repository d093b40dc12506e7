import assert from 'node:assert/strict';
import {test} from 'node:test';
import {anIssue} from '../../../test/rig/fixtures/issue.ts';
import {agentNamed, otherAgentsOf, profileNamed, profileOf} from '../src/role.ts';
import type {DispatchRule, Role, Workflow} from '../src/settings.ts';
import {read, workflowIn} from './workflow/fixture.ts';

const PLAIN: Workflow = workflowIn(read('tracker: {kind: folder}'));
const ANY: DispatchRule = {labels: null, states: null, priority: null, title: null};

function withRoles(...roles: readonly (Partial<Role> & {name: string})[]): Workflow {
  const {prompt, settings} = PLAIN;
  const rest = {when: null, agent: settings.agent, prompt};
  return {...PLAIN, roles: roles.map((role) => ({...rest, ...role}))};
}

/** Who takes an issue that only this rule is asked for. */
function takes(when: Partial<DispatchRule>, issue: Parameters<typeof anIssue>[0]): boolean {
  const workflow = withRoles({name: 'asked', when: {...ANY, ...when}});
  return profileOf(workflow, anIssue(issue)).role === 'asked';
}

test('an issue is run by the workflow file itself, under the name worker', () => {
  assert.deepEqual(profileOf(PLAIN, anIssue()), {role: 'worker', workflow: PLAIN});
  const silent = withRoles({name: 'silent'});
  assert.deepEqual(profileOf(silent, anIssue()), {role: 'worker', workflow: silent});
});

test('lists are any of, and keys are and', () => {
  assert.ok(takes({labels: ['docs', 'text']}, {labels: ['bug', 'text']}));
  assert.ok(!takes({labels: ['docs']}, {labels: ['docs-later']}));
  assert.ok(!takes({labels: ['']}, {labels: ['']}), 'a blank label matches nothing');
  assert.ok(!takes({labels: []}, {labels: ['docs']}), 'and neither does none');
  assert.ok(takes({states: ['todo']}, {state: ' ToDo '}));
  assert.ok(!takes({states: ['todo']}, {state: 'Doing'}));
  assert.ok(takes({priority: [0, 1]}, {priority: 0}));
  assert.ok(!takes({priority: [1]}, {priority: 2}));
  assert.ok(!takes({priority: [0]}, {priority: null}), 'no priority is none of them');
  assert.ok(takes({title: ['typo', 'spell']}, {title: 'Fix Spelling'}));
  assert.ok(!takes({title: ['typo']}, {title: 'Fix the build'}));
  const both = {labels: ['docs'], priority: [1]};
  assert.ok(takes(both, {labels: ['docs'], priority: 1}));
  assert.ok(!takes(both, {labels: ['docs'], priority: 2}));
  assert.ok(!takes(both, {labels: [], priority: 1}));
});

test('the first role in the order of the file takes the issue', () => {
  const rule = {...ANY, labels: ['docs']};
  const workflow = withRoles(
    {name: 'later', when: {...ANY, labels: ['other']}},
    {name: 'first', when: rule},
    {name: 'second', when: rule},
  );
  assert.equal(profileOf(workflow, anIssue({labels: ['docs']})).role, 'first');
});

test('a role has its own agent and prompt, and everything else of the file', () => {
  const agent = {...PLAIN.settings.agent, model: 'small', maxTurns: 3};
  const prompt = {template: 'Write.', engine: null, file: 'docs.md'};
  const workflow = withRoles({name: 'docs', agent, prompt});
  const profile = profileNamed(workflow, 'docs');
  assert.equal(profile.role, 'docs');
  const {settings, ...rest} = profile.workflow;
  assert.deepEqual(rest, {path: PLAIN.path, prompt, roles: workflow.roles});
  assert.deepEqual(settings, {...PLAIN.settings, agent});
  assert.equal(agentNamed(workflow, 'docs'), agent);
});

test('a role that the file does not have is the file itself', () => {
  const workflow = withRoles({name: 'docs'});
  assert.deepEqual(profileNamed(workflow, 'gone'), {role: 'worker', workflow});
  assert.deepEqual(profileNamed(PLAIN, 'gone'), {role: 'worker', workflow: PLAIN});
  assert.equal(agentNamed(workflow, 'gone'), PLAIN.settings.agent);
  assert.equal(agentNamed(PLAIN, 'gone'), PLAIN.settings.agent);
});

test('only kinds that the file itself does not have count as others', () => {
  assert.equal(otherAgentsOf(PLAIN).size, 0);
  assert.equal(otherAgentsOf(withRoles({name: 'docs'})).size, 0);
});
