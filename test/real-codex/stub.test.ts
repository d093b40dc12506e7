import assert from 'node:assert/strict';
import {mkdir, mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type TestContext, test} from 'node:test';
import {AppServer} from './binary/app-server.ts';
import type {CodexSettings} from './binary/codex-config.ts';
import {CodexHome} from './binary/codex-home.ts';
import {rateLimitHeaders} from './stub/rate-limit-headers.ts';
import {ResponsesStub} from './stub/responses-stub.ts';
import {addFile, cut, failed, hang, httpError, say, shell, tool, USAGE} from './stub/stub-step.ts';

test('a turn plays its script: command, patch, message', async (t) => {
  const {stub, workspace, server, thread} = await aCodex(t);
  stub.answers([shell('echo hello > made'), addFile('patched', 'by patch'), say('all done')]);

  const turn = await server.turn(thread, 'do it');

  assert.equal(turn.status, 'completed');
  assert.deepEqual(said(server), ['all done']);
  assert.equal(await readFile(join(workspace, 'made'), 'utf8'), 'hello\n');
  assert.equal(await readFile(join(workspace, 'patched'), 'utf8'), 'by patch\n');
  assert.deepEqual(
    stub.requests.map(({prompt, turnId}) => [prompt, turnId]),
    [0, 1, 2].map(() => ['do it', turn.id]),
  );
  assert.match(stub.requests[1]?.toolOutputs[0] ?? '', /exited with code 0/);
  assert.deepEqual([stub.unexpected, stub.unplayed], [[], 0]);
});

test('usage and rate limits arrive as the stub gave them', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  stub.headers = rateLimitHeaders({usedPercent: 40, windowMinutes: 300, resetsAt: 1_900_000_000});
  stub.answers([
    shell('true'),
    say('done', {reasoning: '**Thinking**', usage: {...USAGE, output: 7}}),
  ]);

  await server.turn(thread, 'count');

  const total = server.notices('thread/tokenUsage/updated').at(-1)?.tokenUsage?.total;
  assert.equal(total?.inputTokens, 2 * USAGE.input);
  assert.equal(total?.outputTokens, USAGE.output + 7);
  const limits = server.notices('account/rateLimits/updated').at(-1)?.rateLimits;
  assert.equal(limits?.primary?.usedPercent, 40);
});

test('an answer may be worked out from the request', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  stub.answers([shell('echo secret-$((6 * 7))'), ({toolOutputs}) => say(`saw ${toolOutputs[0]}`)]);

  await server.turn(thread, 'look');

  assert.match(said(server)[0] ?? '', /secret-42/);
});

test('scripts go to the turns that they are meant for', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  stub.answers([say('for the second')], {when: ({prompt}) => prompt === 'second'});
  stub.answers([say('for the first')]);

  await server.turn(thread, 'first');
  await server.turn(thread, 'second');

  assert.deepEqual(said(server), ['for the first', 'for the second']);
});

test('a failure within a script is played once, at its end for all tries', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  stub.answers([cut(), say('recovered')]);
  stub.answers([httpError(500, 'server_error')]);

  assert.equal((await server.turn(thread, 'flaky')).status, 'completed');
  const turn = await server.turn(thread, 'broken');

  assert.equal(turn.error?.codexErrorInfo, 'internalServerError');
  assert.equal(stub.requests.length, 4);
  assert.deepEqual(stub.unexpected, []);
});

test('failures reach Codex with their kind', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  stub.answers([failed('context_length_exceeded', 'too long')]);
  stub.answers([httpError(429, 'usage_limit_reached', {details: {resets_at: 1_900_000_000}})]);

  assert.equal((await server.turn(thread, 'a')).error?.codexErrorInfo, 'contextWindowExceeded');
  assert.equal((await server.turn(thread, 'b')).error?.codexErrorInfo, 'usageLimitExceeded');
});

test('a hanging model leaves the turn open until it is interrupted', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  stub.answers([hang()]);

  const turn = server.turn(thread, 'wait');
  const {turnId} = await stub.requestAt(0);
  await server.call('turn/interrupt', {threadId: thread, turnId});

  assert.equal((await turn).status, 'interrupted');
});

test('what no script foresees is on record, and refused', async (t) => {
  const {stub, server, thread} = await aCodex(t, {streamMaxRetries: 0});
  stub.answers([tool('no_such_tool')]);

  const turn = await server.turn(thread, 'one step too few');

  assert.equal(turn.status, 'failed');
  assert.match(stub.requests[1]?.toolOutputs[0] ?? '', /unsupported call/);
  assert.equal(stub.unexpected.length, 1);
  assert.match(stub.unexpected[0] ?? '', /no answer left for turn .*one step too few/);
});

test('a command may ask to leave the sandbox', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  stub.answers([shell('true', {escalation: 'may I?'}), say('refused, then')]);

  await server.turn(thread, 'try');

  assert.match(stub.requests[1]?.toolOutputs[0] ?? '', /approval policy is Never/);
});

test('the built-in provider wants a login, the stub does not', async (t) => {
  const {server: stubbed} = await aCodex(t);
  const {server: builtIn} = await aCodex(t, {provider: 'openai'});

  assert.equal((await stubbed.call('account/read', {})).requiresOpenaiAuth, false);
  assert.equal((await builtIn.call('account/read', {})).requiresOpenaiAuth, true);
});

test('a key is sent as bearer token', async (t) => {
  const {stub, server, thread} = await aCodex(t, {key: {name: 'STUB_KEY', value: 'sk-stub'}});
  stub.answers([say('hi')]);

  await server.turn(thread, 'who am I');

  assert.equal(stub.requests[0]?.headers.authorization, 'Bearer sk-stub');
});

test('without a server a turn ends, if Codex is told not to wait for the network', async (t) => {
  const {stub, server, thread} = await aCodex(t);
  await stub[Symbol.asyncDispose]();

  const turn = await server.turn(thread, 'anyone there?');

  assert.deepEqual(turn.error?.codexErrorInfo, {httpConnectionFailed: {httpStatusCode: null}});
});

/** A thread of the real Codex in an empty workspace, with a stub for a model. */
async function aCodex(t: TestContext, settings: Partial<CodexSettings> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'symphony-real-codex-'));
  t.after(() => rm(folder, {recursive: true, force: true}));
  const stub = await ResponsesStub.listen();
  t.after(() => stub[Symbol.asyncDispose]());
  const home = await CodexHome.create({baseUrl: stub.baseUrl, ...settings});
  const workspace = join(folder, 'workspace');
  const tmp = join(folder, 'tmp');
  await Promise.all([mkdir(workspace), mkdir(tmp)]);
  const server = new AppServer(home, workspace, tmp);
  t.after(async () => {
    await server[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  const thread = await server.openThread({
    cwd: workspace,
    approvalPolicy: 'never',
    sandbox: 'danger-full-access',
  });
  return {stub, home, workspace, server, thread};
}

/** What the agent said so far. */
function said(server: AppServer): string[] {
  return server
    .notices('item/completed')
    .flatMap(({item}) => (item?.type === 'agentMessage' ? [item.text ?? ''] : []));
}
