import assert from 'node:assert/strict';
import {type TestContext, test} from 'node:test';
import type {AgentJobOf, RunResult} from '@symphony-supervisor/protocol';
import type {CodexSettings} from './binary/codex-config.ts';
import {Scene} from './scene.ts';
import {rateLimitHeaders} from './stub/rate-limit-headers.ts';
import {cut, failed, httpError, type Step, say} from './stub/stub-step.ts';

type Codex = Partial<AgentJobOf<'codex'>>;

const RESETS_AT = 1_900_000_000;

const ANSWERS: readonly (readonly [what: string, answer: Step, code: string])[] = [
  ['a request that the model refuses', httpError(400, 'invalid_request_error'), 'turn_failed'],
  ['a key that the model refuses', httpError(401, 'invalid_api_key'), 'unauthorized'],
  ['too many requests', httpError(429, 'rate_limit_exceeded'), 'turn_failed'],
  ['a broken server', httpError(500, 'server_error'), 'turn_failed'],
  ['an overloaded server', httpError(503, 'server_is_overloaded'), 'turn_failed'],
  ['a stream that breaks off', cut(), 'turn_failed'],
  ['a used-up quota', failed('insufficient_quota', 'no money left'), 'usage_limit'],
  [
    'a conversation that is too long',
    failed('context_length_exceeded', 'too long'),
    'context_window_exceeded',
  ],
];

for (const [what, answer, code] of ANSWERS) {
  test(`${what} is ${code}`, async (t) => {
    await using scene = await Scene.open(t);
    scene.stub.answers([answer]);
    assertFailed(await outcomeOf(scene), code);
  });
}

test('a used-up limit says when it is refilled', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.headers = rateLimitHeaders({
    usedPercent: 100,
    windowMinutes: 300,
    resetsAt: RESETS_AT,
  });
  scene.stub.answers([httpError(429, 'usage_limit_reached', {details: {resets_at: RESETS_AT}})]);

  const result = await outcomeOf(scene);

  assertFailed(result, 'usage_limit');
  assert.equal(result.failure?.resets_at, new Date(RESETS_AT * 1000).toISOString());
});

test('a stream that breaks off once does not fail the turn', async (t) => {
  await using scene = await Scene.open(t);
  scene.stub.answers([cut(), say('recovered')]);
  assert.equal((await outcomeOf(scene)).outcome, 'succeeded');
});

test('a model that cannot be reached fails the turn', async (t) => {
  await using scene = await withoutServer(t);
  assertFailed(await outcomeOf(scene), 'turn_failed');
});

test('waiting for the network is not progress', async (t) => {
  await using scene = await withoutServer(t, {waitsForNetwork: true});
  await using runner = scene.start(scene.attempt({agent: {turn_timeout_ms: 2000}}));

  const result = await runner.result();

  assert.equal(result.outcome, 'timed_out');
  assert.equal(result.failure?.code, 'turn_timeout');
  const progress = runner.all('agent').map((report) => report.progress);
  const notice = progress.find(({message}) => /^Reconnecting/.test(message ?? ''));
  assert.ok(notice !== undefined && notice.signs_of_life < notice.messages);
});

test('a key that is missing from the environment is unauthorized', async (t) => {
  await using scene = await Scene.open(t, {key: {name: 'STUB_KEY', value: 'unused'}});
  assertFailed(await outcomeOf(scene), 'unauthorized');
});

test('a policy that this Codex does not know is agent_incompatible', async (t) => {
  await using scene = await Scene.open(t);
  assertFailed(await outcomeOf(scene, {approval_policy: 'on-failure'}), 'agent_incompatible');
});

test('a sandbox that this Codex does not know is agent_incompatible', async (t) => {
  await using scene = await Scene.open(t);
  assertFailed(await outcomeOf(scene, {thread_sandbox: 'no-such-sandbox'}), 'agent_incompatible');
});

test('a configuration that Codex cannot read is agent_incompatible', async (t) => {
  await using scene = await Scene.open(t, {toml: 'this is no TOML'});
  assertFailed(await outcomeOf(scene), 'agent_incompatible');
});

test('a command that does not exist is agent_not_found', async (t) => {
  await using scene = await Scene.open(t);
  const result = await outcomeOf(scene, {command: 'no-such-codex app-server'});
  assertFailed(result, 'agent_not_found');
  assert.match(result.failure?.message ?? '', /no-such-codex: command not found/);
});

async function outcomeOf(scene: Scene, codex: Codex = {}): Promise<RunResult> {
  await using runner = scene.start(scene.attempt({agent: codex}));
  return await runner.result(); // before the runner is disposed of
}

async function withoutServer(t: TestContext, settings: Partial<CodexSettings> = {}) {
  const scene = await Scene.open(t, settings);
  await scene.stub[Symbol.asyncDispose]();
  return scene;
}

function assertFailed(result: RunResult, code: string): void {
  assert.equal(result.outcome, 'failed');
  assert.equal(result.failure?.code, code, result.failure?.message);
}
