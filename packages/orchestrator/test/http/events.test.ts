import assert from 'node:assert/strict';
import {createServer} from 'node:http';
import {test} from 'node:test';
import {Snapshot} from '@symphony-supervisor/protocol';
import {emptyState} from '../../src/core/state.ts';
import {snapshotOf} from '../../src/core/view/snapshot.ts';
import {EventStream, type EventStreamOptions} from '../../src/http/answers/event-stream.ts';
import type {OnPublication, Publication} from '../../src/shell/publisher.ts';
import {Served} from './served.ts';
import {type ServerEvent, SseClient} from './sse-client.ts';

const bearer = async (served: Served) => ({authorization: `Bearer ${await served.token()}`});
const snapshotIn = ({data}: ServerEvent) => Snapshot.parse(JSON.parse(data));

test('a watcher gets the state at once, and again when it has changed', async () => {
  await using served = await Served.start();
  using client = await SseClient.open(served.url, await bearer(served));
  const first = await client.heard();
  assert.equal(first.event, 'snapshot');
  assert.equal(snapshotIn(first).projects[0]?.is_paused, false);
  await served.order('/api/v1/pause');
  await client.heard((event) => snapshotIn(event).projects[0]?.is_paused === true);
  const ids = client.events.map(({id}) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('one who comes back and has missed nothing waits for news; else he gets the newest', async () => {
  await using served = await Served.start({settings: {polling: {interval_ms: 3_600_000}}});
  await served.until(
    ({polling, projects}) => !polling.checking && projects[0]?.agent.status === 'ready',
  );
  using earlier = await SseClient.open(served.url, await bearer(served));
  const {id} = await earlier.heard();

  using upToDate = await SseClient.open(served.url, {
    ...(await bearer(served)),
    'last-event-id': id,
  });
  using behind = await SseClient.open(served.url, {
    ...(await bearer(served)),
    'last-event-id': 'of-another-life-7',
  });
  assert.equal((await behind.heard()).id, id);
  await served.order('/api/v1/pause');
  const news = await upToDate.heard();
  assert.notEqual(news.id, id);
  assert.equal(snapshotIn(news).projects[0]?.is_paused, true);
  assert.equal((await earlier.heard((event) => event.id === news.id)).data, news.data);
});

test('the end of the supervisor ends the stream', async () => {
  await using served = await Served.start();
  using client = await SseClient.open(served.url, await bearer(served));
  await client.heard();
  await served.stop();
  await client.closed;
});

test('without a credential there is no stream on any listener', async () => {
  await using served = await Served.start();
  using passer = await SseClient.open(served.url);
  assert.equal(passer.status, 401);
  using stranger = await SseClient.open(served.listeners.controlUrl);
  assert.equal(stranger.status, 401);
  const headers = {authorization: `Bearer ${await served.token()}`};
  using own = await SseClient.open(served.listeners.controlUrl, headers);
  await own.heard();
});

/** An API whose publications the test makes, as large as it likes. */
class FakeApi {
  serialized = 0;
  #id = 0;
  #padding = '';
  readonly #watchers = new Set<OnPublication>();

  get publication(): Publication {
    const surroundings = {version: '1', pid: 1, started_at: new Date(0).toISOString()};
    const snapshot = snapshotOf(emptyState('life'), 0, surroundings);
    const text = JSON.stringify({number: this.#id, padding: this.#padding});
    const count = () => {
      this.serialized++;
      return text;
    };
    return {
      ...{id: this.#id, snapshot},
      get json() {
        return count();
      },
    };
  }

  watch(watcher: OnPublication): Disposable {
    this.#watchers.add(watcher);
    return {[Symbol.dispose]: () => void this.#watchers.delete(watcher)};
  }

  publish(bytes = 0): void {
    this.#id++;
    this.#padding = 'x'.repeat(bytes);
    const {publication} = this;
    for (const watcher of this.#watchers) watcher(publication);
  }
}

async function aStream(options: EventStreamOptions = {}) {
  const api = new FakeApi();
  const stream = new EventStream(api, options);
  const lines: import('node:http').ServerResponse[] = [];
  const server = createServer((request, line) => {
    lines.push(line);
    stream.add(line, request.headers['last-event-id']?.toString() ?? null);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    ...{api, stream, lines, url: `http://127.0.0.1:${port}`},
    [Symbol.asyncDispose]: async () => {
      stream[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const numberIn = ({data}: ServerEvent): number => Number(/"number":(\d+)/.exec(data)?.[1]);

test('fifty watchers share one text', async () => {
  await using scene = await aStream();
  const clients = await Promise.all(Array.from({length: 50}, () => SseClient.open(scene.url)));
  const before = scene.api.serialized;
  scene.api.publish(1000);
  const heard = await Promise.all(clients.map((client) => client.heard((e) => numberIn(e) === 1)));
  assert.equal(new Set(heard.map(({id}) => id)).size, 1);
  assert.equal(scene.api.serialized - before, 1);
  for (const client of clients) client[Symbol.dispose]();
});

test('one who does not read holds no more than one publication, and then gets the newest', async () => {
  await using scene = await aStream();
  using slow = await SseClient.open(scene.url);
  using quick = await SseClient.open(scene.url);
  await slow.heard();
  slow.pause();
  const size = 500_000;
  const published = 60;
  const held: number[] = [];
  for (let number = 1; number <= published; number++) {
    scene.api.publish(size);
    await quick.heard((event) => numberIn(event) === number);
    held.push(...scene.lines.map((line) => line.writableLength));
  }
  assert.ok(Math.max(...held) < 2 * size, `${Math.max(...held)} bytes were held`);
  slow.resume();
  await slow.heard((event) => numberIn(event) === published);
  assert.ok(slow.events.length < published / 2, `${slow.events.length} events`);
  assert.equal(quick.events.filter((event) => numberIn(event) > 0).length, published);
});

test('nobody who is gone is kept', async () => {
  await using scene = await aStream();
  const client = await SseClient.open(scene.url);
  await client.heard();
  const gone = new Promise((resolve) => scene.lines[0]?.once('close', resolve));
  client[Symbol.dispose]();
  await gone;
  assert.equal(scene.stream.watchers, 0);
  scene.api.publish();
});

test('a line on which nothing happens is kept open by comments', async () => {
  await using scene = await aStream({heartbeatMs: 5});
  using client = await SseClient.open(scene.url);
  await client.heardComment();
  assert.equal(client.events.length, 1);
});

test('there is room for so many, and whoever leaves makes some', async () => {
  await using scene = await aStream({maxWatchers: 1});
  scene.stream.checkRoom();
  const client = await SseClient.open(scene.url);
  await client.heard();
  assert.throws(() => scene.stream.checkRoom(), {code: 'unavailable'});
  const gone = new Promise((resolve) => scene.lines[0]?.once('close', resolve));
  client[Symbol.dispose]();
  await gone;
  scene.stream.checkRoom();
});
