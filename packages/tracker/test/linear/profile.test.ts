import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseWorkflow} from '@symphony-supervisor/protocol/workflow';
import {PROFILES} from '../../src/index.ts';

function read(tracker: string, prompt = 'Do it.', env = {LINEAR_API_KEY: 'lin_api_key'}) {
  const text = `---\ntracker:\n  kind: linear\n${tracker}\n---\n${prompt}\n`;
  const context = {
    path: '/acme/WORKFLOW.md',
    env,
    profiles: PROFILES,
    tmpDir: '/tmp',
    homeDir: '/',
  };
  return parseWorkflow(text, context);
}

function trackerOf(...file: Parameters<typeof read>) {
  const reading = read(...file);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.workflow.settings.tracker;
}

function errorsOf(...file: Parameters<typeof read>): string {
  const reading = read(...file);
  assert.ok(!reading.ok);
  return reading.errors.map(({message}) => message).join('\n');
}

test('the flat keys of older files are understood', () => {
  const flat = '  project_slug: web-0c79b11b75ea\n  assignee: me\n  api_key: $LINEAR_API_KEY';
  const {provider, secrets, unstartedStates} = trackerOf(flat);
  assert.deepEqual(provider, {
    endpoint: 'https://api.linear.app/graphql',
    project_slug: 'web-0c79b11b75ea',
    assignee: 'me',
  });
  assert.deepEqual(secrets, {api_key: {from: 'env', name: 'LINEAR_API_KEY'}});
  assert.deepEqual(unstartedStates, ['Todo']);
});

test('the key comes from LINEAR_API_KEY where the file is silent', () => {
  const {secrets, secretNames} = trackerOf('  provider: {team_key: ENG}');
  assert.deepEqual(secrets.api_key, {from: 'env', name: 'LINEAR_API_KEY'});
  assert.deepEqual(secretNames, ['LINEAR_API_KEY']);
  const missing = errorsOf('  provider: {team_key: ENG}', '', {LINEAR_API_KEY: ''});
  assert.match(missing, /LINEAR_API_KEY is not set/);
});

test('the secret of the webhook may be left out, and is hidden from agents where it is named', () => {
  const given = '  provider: {team_key: ENG, webhook_secret: $HOOK}';
  const env = {LINEAR_API_KEY: 'lin_api_key', HOOK: 'secret'};
  const {secrets, secretNames, provider} = trackerOf(given, '', env);
  assert.deepEqual(secrets.webhook_secret, {from: 'env', name: 'HOOK'});
  assert.deepEqual(secretNames, ['LINEAR_API_KEY', 'HOOK']);
  assert.equal(provider.webhook_secret, undefined);
});

test('a key is only sent over https, or within this machine', () => {
  const good = [
    'https://api.linear.app/graphql',
    'https://proxy.example:8443/linear',
    'http://127.0.0.1:4000/graphql',
    'http://localhost/graphql',
    '"http://[::1]:4000/graphql"',
  ];
  for (const endpoint of good) trackerOf(`  provider: {team_key: ENG, endpoint: ${endpoint}}`);
  const bad = [
    'http://api.linear.app/graphql',
    'http://127.0.0.1.example/graphql',
    'http://localhost.example/',
    'https://user:password@api.linear.app/',
    'ftp://api.linear.app/',
    'api.linear.app',
    '5',
  ];
  for (const endpoint of bad) {
    const told = errorsOf(`  provider: {team_key: ENG, endpoint: "${endpoint}"}`);
    assert.match(told, /tracker\.provider\.endpoint .*give an https address/, endpoint);
  }
});

test('a project or a team must be named', () => {
  assert.match(errorsOf('  provider: {}'), /project_slug is missing; give .*, or team_key/);
  assert.match(
    errorsOf('  provider: {team_key: [ENG]}'),
    /team_key is a list; give the team's key/,
  );
  assert.match(errorsOf('  provider: {team_key: ENG, raw_tool: yes please}'), /true or false/);
});

test('the raw tool is there if the file says so, or says nothing and the prompt names it', () => {
  const rows: readonly [string, string, unknown, number][] = [
    ['', 'Do it.', undefined, 0],
    ['', 'Use `linear_graphql` for it.', true, 1],
    ['', 'my_linear_graphql_tool', undefined, 0],
    [', raw_tool: false', 'Use `linear_graphql` for it.', false, 0],
    [', raw_tool: true', 'Use `linear_graphql` for it.', true, 0],
    [', raw_tool: true', 'Do it.', true, 0],
  ];
  for (const [key, prompt, expected, warned] of rows) {
    const reading = read(`  provider: {team_key: ENG${key}}`, prompt);
    assert.ok(reading.ok);
    assert.equal(reading.workflow.settings.tracker.provider.raw_tool, expected);
    const told = reading.warnings.filter(({code}) => code === 'tool_by_prompt');
    assert.equal(told.length, warned, `${key} ${prompt}`);
  }
});
