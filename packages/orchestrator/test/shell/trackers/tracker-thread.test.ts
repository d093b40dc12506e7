import assert from 'node:assert/strict';
import {EventEmitter, once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {Issue, TrackerSettings} from '@symphony-supervisor/protocol';
import type {Answer} from '@symphony-supervisor/tracker';
import {anIssue} from '../../../../../test/rig/fixtures/issue.ts';
import {
  TrackerThread,
  type TrackerThreadOptions,
} from '../../../src/shell/trackers/tracker-thread.ts';
import {inMemory} from './tracker-settings.ts';

const BUNDLE = fileURLToPath(new URL('../../../dist/tracker-thread.js', import.meta.url));
const TROUBLED = fileURLToPath(new URL('./troubled-thread.mjs', import.meta.url));

const A = {identifier: 'A-1', title: 'First', state: 'Todo'};
const B = {identifier: 'A-2', title: 'Second', state: 'Todo'};

function aThread(options: Partial<TrackerThreadOptions> = {}) {
  const troubles: string[] = [];
  const thread = new TrackerThread({
    filename: TROUBLED,
    environment: {},
    onTrouble: (message) => troubles.push(message),
    ...options,
  });
  return Object.assign(thread, {troubles});
}

function unwrap<T>(answer: Answer<T>): T {
  if (!answer.ok) assert.fail(`${answer.failure.code}: ${answer.failure.message}`);
  return answer.value;
}

function failureOf(answer: Answer<unknown>): string {
  return answer.ok ? 'none' : `${answer.failure.code}: ${answer.failure.message}`;
}

const names = (answer: Answer<readonly Issue[]>) =>
  unwrap(answer).map(({identifier}) => identifier);

async function only(thread: TrackerThread, project: string): Promise<Issue> {
  const [issue] = unwrap(await thread.issuesByStates(project, ['Todo']));
  assert.ok(issue !== undefined);
  return issue;
}

test('the bundled thread also holds what speaks HTTP, and tells no key', async () => {
  await using thread = aThread({filename: BUNDLE, environment: {LINEAR_API_KEY: 'key-of-ours'}});
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const {port} = nobody.address() as AddressInfo;
  nobody.close();
  const linear: TrackerSettings = {
    ...inMemory([]),
    kind: 'linear',
    provider: {team_key: 'ENG', endpoint: `http://127.0.0.1:${port}/graphql`},
    secrets: {api_key: {from: 'env', name: 'LINEAR_API_KEY'}},
    secretNames: ['LINEAR_API_KEY'],
  };
  unwrap(await thread.open('one', linear));
  const failure = failureOf(await thread.issuesByStates('one', ['Todo']));
  assert.match(failure, /^tracker_request: Linear could not be reached: .*ECONNREFUSED/);
  assert.doesNotMatch(failure, /key-of-ours/);
  assert.equal(unwrap(await thread.budget('one'))?.made.request, 3);
  const delivery = {headers: {}, body: Buffer.from('{}')};
  assert.equal(unwrap(await thread.verifyWebhook('one', delivery)).is, 'refused');
});

test('the bundled thread does all that an adapter can, for several projects', async () => {
  await using thread = aThread({filename: BUNDLE});
  unwrap(await thread.open('one', inMemory([A, B])));
  unwrap(await thread.open('two', inMemory([{...A, identifier: 'B-1'}])));
  assert.deepEqual(names(await thread.issuesByStates('one', ['todo'])), ['A-1', 'A-2']);
  assert.deepEqual(names(await thread.issuesByIds('two', ['B-1', 'A-1'])), ['B-1']);
  assert.deepEqual(names(await thread.issuesByIdentifiers('one', ['A-2'])), ['A-2']);

  const issue = await only(thread, 'two');
  assert.equal(unwrap(await thread.transition('two', issue, 'In Progress')).outcome, 'written');
  const [tool] = unwrap(await thread.tools('two', issue));
  assert.ok(tool !== undefined);
  const result = unwrap(await thread.callTool('two', issue, tool.name, {state: 'Done'}));
  assert.ok(result.success && result.wrote);

  assert.equal(unwrap(await thread.budget('two')), null);
  const delivery = {headers: {}, body: Buffer.from('{}')};
  assert.match(failureOf(await thread.verifyWebhook('two', delivery)), /does not support that/);

  unwrap(await thread.close('two'));
  const closed = await thread.issuesByIds('two', ['B-1']);
  assert.equal(failureOf(closed), 'invalid_tracker_config: the project "two" is not open');
  assert.deepEqual(thread.troubles, []);
});

test('what cannot be opened says so, then and whenever it is asked', async () => {
  await using thread = aThread();
  const told = /^unsupported_tracker_kind: there is no tracker "none"/;
  assert.match(failureOf(await thread.open('p', inMemory([], {kind: 'none'}))), told);
  assert.match(failureOf(await thread.issuesByStates('p', ['Todo'])), told);
});

test('a project that is opened again has its new settings, and is still watched', async () => {
  await using thread = aThread();
  unwrap(await thread.open('p', inMemory([A])));
  const changed = new Promise<void>((resolve) => {
    void thread.watch('p', resolve).then((answer) => assert.equal(unwrap(answer), true));
  });
  unwrap(await thread.open('p', inMemory([B])));
  const issue = await only(thread, 'p');
  assert.equal(issue.identifier, 'A-2');
  unwrap(await thread.transition('p', issue, 'Done'));
  await changed;
});

test('reads by id that come together are one request, and each gets its part', async () => {
  await using thread = aThread();
  unwrap(await thread.open('p', inMemory([A, B])));
  const answers = await Promise.all([
    thread.issuesByIds('p', ['A-1']),
    thread.issuesByIds('p', ['A-2', 'gone']),
    thread.issuesByIds('p', ['A-1', 'A-2']),
  ]);
  assert.deepEqual(answers.map(names), [['A-1'], ['A-2'], ['A-1', 'A-2']]);
  assert.deepEqual(await noted(thread), ['secrets {}', 'ids A-1 A-2 gone']);
});

test('a record that cannot be read fails only those who asked for it', async () => {
  await using thread = aThread();
  unwrap(await thread.open('p', inMemory([A, {id: 'bad', identifier: 'A-9', state: 'Todo'}])));
  const [good, bad] = await Promise.all([
    thread.issuesByIds('p', ['A-1']),
    thread.issuesByIds('p', ['bad']),
  ]);
  assert.deepEqual(names(good), ['A-1']);
  assert.match(failureOf(bad), /^tracker_response: /);
});

for (const death of ['exit', 'out of memory']) {
  test(`tracker thread died (${death}): every call ends; new thread, next tick`, async () => {
    // Small, so that it is soon used up.
    await using thread = aThread({resourceLimits: {maxOldGenerationSizeMb: 64}});
    const bell = new EventEmitter();
    unwrap(await thread.open('p', inMemory([A])));
    unwrap(await thread.watch('p', () => bell.emit('changed')));
    const ended = await Promise.all([
      thread.issuesByStates('p', ['silence']),
      thread.issuesByStates('p', [death]),
    ]);
    const told = 'tracker_request: the tracker thread ended';
    assert.deepEqual(ended.map(failureOf), [told, told]);
    assert.equal(thread.troubles.length, 1);

    const missed = once(bell, 'changed');
    const issue = await only(thread, 'p');
    assert.equal(issue.identifier, 'A-1');
    await missed;
    const changed = once(bell, 'changed');
    unwrap(await thread.transition('p', issue, 'Done'));
    await changed;
  });
}

const LINEAR = inMemory([], {
  kind: 'linear',
  provider: {project_slug: 'p', endpoint: 'http://127.0.0.1:9/graphql'},
  secrets: {api_key: {from: 'env', name: 'KEY'}},
  secretNames: ['KEY'],
});

test('a tracker that can only be polled is not asked for a tick by every thread that dies', async () => {
  await using thread = aThread({environment: {KEY: 'hush'}});
  let ticks = 0;
  unwrap(await thread.open('p', LINEAR));
  assert.equal(unwrap(await thread.watch('p', () => ticks++)), false);
  await thread.issuesByStates('p', ['exit']);
  unwrap(await thread.tools('p', anIssue()));
  assert.equal(ticks, 0);
});

test('a call without an answer ends at its deadline, and the stuck thread is replaced', async () => {
  await using thread = aThread({limitsMs: {request: 60_000, list: 200}});
  unwrap(await thread.open('p', inMemory([A])));
  const [stuck, other] = await Promise.all([
    thread.issuesByStates('p', ['loop']),
    thread.open('q', inMemory([B])),
  ]);
  const told = 'tracker_request: the tracker thread did not answer within 200 ms';
  assert.equal(failureOf(stuck), told);
  assert.equal(failureOf(other), 'tracker_request: the tracker thread ended');
  for (const project of ['p', 'q']) unwrap(await thread.tools(project, anIssue()));
});

test('disposal ends what is under way, and whoever asks later hears it at once', async () => {
  const thread = aThread();
  const silent = thread.issuesByStates('p', ['silence']);
  await thread[Symbol.asyncDispose]();
  const told = 'tracker_request: the tracker thread ended';
  assert.equal(failureOf(await silent), told);
  assert.equal(failureOf(await thread.issuesByIds('p', ['A-1'])), told);
  assert.deepEqual(thread.troubles, []);
});

test('the thread gets the variables that settings name as secret, and no others', async () => {
  await using thread = aThread({environment: {A_KEY: 'hush', OTHER: 'not for it'}});
  unwrap(await thread.open('p', inMemory([A], {secretNames: ['A_KEY', 'UNSET']})));
  assert.deepEqual(await noted(thread), ['secrets {"A_KEY":"hush"}']);
});

/** What the thread has noted of that which it was given. */
async function noted(thread: TrackerThread): Promise<readonly string[]> {
  const answer = await thread.issuesByStates('p', ['notes']);
  assert.ok(answer.ok);
  return answer.warnings[0]?.examples ?? [];
}
