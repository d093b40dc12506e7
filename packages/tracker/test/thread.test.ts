import assert from 'node:assert/strict';
import {once} from 'node:events';
import {test} from 'node:test';
import {MessageChannel} from 'node:worker_threads';
import type {Issue} from '@symphony-supervisor/protocol';
import {type ProxyMethods, proxy, type Remote, releaseProxy, wrap} from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type {Answer} from '../src/answer.ts';
import {serve, TrackerThreadApi} from '../src/thread/thread.ts';
import {unwrap} from './file/folder-of-issues.ts';
import {trackerSettings} from './tracker-settings.ts';

// What the thread does, over its line but in this process. That it does so as a thread is told by the
// tests of its owner.

const A = {identifier: 'A-1', title: 'First', state: 'Todo'};
const B = {identifier: 'B-1', title: 'Second', state: 'Todo'};

const inMemory = (...issues: unknown[]) => trackerSettings('memory', {issues});

const NOT_OPEN = {code: 'invalid_tracker_config', message: 'the project "p" is not open'};

function failureOf(answer: Answer<unknown>) {
  return answer.ok ? null : answer.failure;
}

/** Gives back the ports of the callbacks it gets, which otherwise keep this process alive until they are collected. */
class ReleasingApi extends TrackerThreadApi {
  readonly #callbacks: (() => void)[] = [];

  override watch(project: string, onChange: () => void) {
    this.#callbacks.push(onChange);
    return super.watch(project, onChange);
  }

  release(): void {
    for (const callback of this.#callbacks) {
      (callback as (() => void) & ProxyMethods)[releaseProxy]();
    }
  }
}

class Line implements AsyncDisposable {
  readonly api: Remote<TrackerThreadApi>;
  readonly served: Promise<void>;
  readonly #port;
  readonly #served;

  constructor(api = new ReleasingApi()) {
    this.#served = api;
    const {port1, port2} = new MessageChannel();
    this.#port = port1;
    this.served = serve({port: port2}, api);
    this.api = wrap<TrackerThreadApi>(nodeEndpoint(port1));
  }

  async onlyIssue(): Promise<Issue> {
    const [issue] = unwrap(await this.api.issuesByStates('p', ['Todo']));
    assert.ok(issue !== undefined);
    return issue;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#port.close();
    await this.served;
    this.#served.release();
  }
}

test('every question is answered for the project it is about', async () => {
  await using line = new Line();
  const {api} = line;
  unwrap(await api.open('p', inMemory(A), {}));
  unwrap(await api.open('q', inMemory(B), {}));
  const issue = await line.onlyIssue();
  assert.equal(issue.identifier, 'A-1');
  assert.equal(unwrap(await api.issuesByIds('q', ['A-1', 'B-1'])).length, 1);
  assert.equal(unwrap(await api.issuesByIdentifiers('p', ['A-1'])).length, 1);
  assert.equal(unwrap(await api.comment('p', issue, 'Begun.')).outcome, 'written');
  assert.equal(unwrap(await api.transition('p', issue, 'Doing')).outcome, 'written');
  const [tool] = unwrap(await api.tools('p', issue));
  const result = unwrap(await api.callTool('p', issue, tool?.name ?? '', {state: 'Done'}));
  assert.ok(result.success && result.wrote);
  assert.equal(unwrap(await api.budget('p')), null);
  const unable = await api.verifyWebhook('p', {headers: {}, body: Buffer.from('{}')});
  assert.equal(failureOf(unable)?.message, 'this tracker does not support that');
});

test('a webhook is judged by the tracker that has them', async () => {
  await using line = new Line();
  const linear = {...inMemory(), kind: 'linear', provider: {team_key: 'ENG'}};
  const secrets = {api_key: {from: 'value', value: 'a-key'}} as const;
  unwrap(await line.api.open('p', {...linear, secrets}, {}));
  const delivery = {headers: {}, body: Buffer.from('{}')};
  assert.equal(unwrap(await line.api.verifyWebhook('p', delivery)).is, 'refused');
});

test('a project that is not open, or not any more, is said to be so', async () => {
  await using line = new Line();
  const {api} = line;
  assert.deepEqual(failureOf(await api.issuesByIds('p', ['A-1'])), NOT_OPEN);
  const onChange = proxy(() => {});
  assert.deepEqual(failureOf(await api.watch('p', onChange)), NOT_OPEN);
  unwrap(await api.open('p', inMemory(A), {}));
  unwrap(await api.close('p'));
  assert.deepEqual(failureOf(await api.issuesByIds('p', ['A-1'])), NOT_OPEN);
});

test('what cannot be opened says why', async () => {
  await using line = new Line();
  const failed = await line.api.open('p', {...inMemory(), kind: 'none'}, {});
  assert.equal(failureOf(failed)?.code, 'unsupported_tracker_kind');
});

test('who watches a project goes on to watch it when it is opened anew', async () => {
  await using line = new Line();
  const {api} = line;
  unwrap(await api.open('p', inMemory(A), {}));
  const bell = new EventTarget();
  const rung = once(bell, 'changed');
  const onChange = proxy(() => void bell.dispatchEvent(new Event('changed')));
  assert.equal(unwrap(await api.watch('p', onChange)), true);
  unwrap(await api.open('p', inMemory(B), {}));
  unwrap(await api.transition('p', await line.onlyIssue(), 'Done'));
  await rung;
});

test('the end of the line closes what was open', async () => {
  const api = new ReleasingApi();
  const line = new Line(api);
  unwrap(await line.api.open('p', inMemory(A), {}));
  await line[Symbol.asyncDispose]();
  assert.deepEqual(failureOf(await api.issuesByIds('p', ['A-1'])), NOT_OPEN);
});
