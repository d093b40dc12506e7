import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseWorkflow} from '@symphony-supervisor/protocol/workflow';
import {GITHUB_PROFILE} from '../../src/github/profile.ts';
import {PROFILES} from '../../src/index.ts';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {GithubRig, issueOf} from './rig.ts';

const complaints = (provider: Record<string, unknown>) =>
  GITHUB_PROFILE.checkProvider({repo: 'Acme/widgets', ...provider}).map(({key}) => key.join('.'));

test('settings that make sense are taken', () => {
  const rows: Record<string, unknown>[] = [
    {},
    {api_url: 'https://github.example.org/api/v3'},
    {api_url: 'http://127.0.0.1:8080/'},
    {state_labels: {Todo: 'status:todo', Done: 'done'}},
    {project_number: 7, status_field: 'Stage'},
    {project_number: '7'},
    {allowed_authors: ['owner', 'ann']},
    {allowed_authors: []},
    {raw_tool: true},
    {repo: 'a_b/x.y-z_'},
  ];
  for (const provider of rows) assert.deepEqual(complaints(provider), [], JSON.stringify(provider));
});

test('settings that make no sense are refused by key', () => {
  const rows: [Record<string, unknown>, string][] = [
    [{repo: undefined}, 'repo'],
    [{repo: 'widgets'}, 'repo'],
    [{repo: 'Acme/..'}, 'repo'],
    [{repo: 'Acme/widgets/issues'}, 'repo'],
    [{repo: 'https://github.com/Acme/widgets'}, 'repo'],
    [{api_url: 'http://github.example.org'}, 'api_url'],
    [{api_url: 'https://me:pw@github.example.org'}, 'api_url'],
    [{api_url: 'api.github.com'}, 'api_url'],
    [{state_labels: ['todo']}, 'state_labels'],
    [{state_labels: {Todo: ''}}, 'state_labels.Todo'],
    [{state_labels: {Todo: 'a,b'}}, 'state_labels.Todo'],
    [{state_labels: {Todo: 'a', Done: 'A'}}, 'state_labels.Done'],
    [{state_labels: {Todo: 'a', ' todo': 'b'}}, 'state_labels. todo'],
    [{project_number: 0}, 'project_number'],
    [{project_number: 'x'}, 'project_number'],
    [{project_number: 1, status_field: ''}, 'status_field'],
    [{project_number: 1, state_labels: {Todo: 'a'}}, 'state_labels'],
    [{allowed_authors: 'owner'}, 'allowed_authors'],
    [{allowed_authors: [' ']}, 'allowed_authors'],
    [{raw_tool: 'yes'}, 'raw_tool'],
  ];
  for (const [provider, key] of rows) {
    assert.deepEqual(complaints(provider), [key], JSON.stringify(provider));
  }
});

test('a workflow file with a board of labels is understood', () => {
  const text = `---
tracker:
  kind: github
  active_states: [Todo, In Progress]
  terminal_states: [Done, closed]
  in_progress_state: In Progress
  handoff_state: Review
  provider:
    repo: acme/widgets
    webhook_secret: $HOOK
    state_labels: {Todo: "status:todo", In Progress: "status:doing", Review: review, Done: done}
---
Do it.
`;
  const read = parseWorkflow(text, {
    ...{path: '/acme/WORKFLOW.md', profiles: PROFILES, tmpDir: '/tmp', homeDir: '/'},
    env: {GITHUB_TOKEN: 'a-token', HOOK: 'a-secret'},
  });
  assert.ok(read.ok, JSON.stringify(read));
  assert.deepEqual(read.warnings, []);
  const {secrets, secretNames, provider, unstartedStates} = read.workflow.settings.tracker;
  assert.deepEqual(secrets, {
    api_key: {from: 'env', name: 'GITHUB_TOKEN'},
    webhook_secret: {from: 'env', name: 'HOOK'},
  });
  assert.deepEqual(secretNames, ['GITHUB_TOKEN', 'HOOK']);
  assert.equal(provider.webhook_secret, undefined);
  assert.deepEqual(unstartedStates, ['open', 'Todo']);
});

test('an Enterprise server has its two interfaces side by side', async () => {
  await using rig = await GithubRig.start((world) => world.add(1));
  const tracker = rig.tracker({api_url: new URL('/api/v3/', rig.proxy.url).href});
  rig.proxy.always({is: 'answer', status: 418});
  await tracker.issuesByIds(['1'], soon());
  await tracker.issuesByStates(['open'], soon());
  assert.deepEqual(rig.asked(), ['POST /api/graphql', 'GET /api/v3']);
});

test('every request says who it is and what it understands', async () => {
  await using rig = await GithubRig.start((world) => world.add(1));
  const tracker = rig.tracker();
  unwrap(await tracker.issuesByStates(['open'], soon()));
  await issueOf(tracker, '1');
  for (const {headers} of rig.proxy.seen) {
    assert.equal(headers.accept, 'application/vnd.github+json');
    assert.equal(headers['x-github-api-version'], '2022-11-28');
    assert.match(headers['user-agent'] ?? '', /symphony/);
  }
});
