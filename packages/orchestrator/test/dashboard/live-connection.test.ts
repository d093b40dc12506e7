import assert from 'node:assert/strict';
import {ReadableStream} from 'node:stream/web';
import {type TestContext, test} from 'node:test';
import {type ConnectionState, LiveConnection} from '../../src/dashboard/live/live-connection.ts';
import {aSnapshot} from '../view/a-snapshot.ts';

const [first, second] = [aSnapshot({}), aSnapshot({running: []})];
const STREAM = [
  'retry: 2000\n\n: here\n\n',
  `id: a-1\nevent: snapshot\ndata: ${JSON.stringify(first)}\n\n`,
  // A proxy may change line ends, and JSON may be spread over lines.
  `id: a-2\r\nevent: snapshot\r\ndata: ${JSON.stringify(second).replace(',', ',\r\ndata: ')}\r\n\r\n`,
  `event: snapshot\ndata: ${JSON.stringify(first)}\n\n`,
].join('');

/** A page whose requests are answered with `bodies`, one after the other, each in pieces of `size` bytes. */
function page(t: TestContext, bodies: readonly string[], size: number) {
  const asked: (string | null)[] = [];
  const left = [...bodies];
  t.mock.method(globalThis, 'fetch', async (_: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get('last-event-id'));
    const bytes = Buffer.from(left.shift() ?? '');
    const pieces = Array.from({length: Math.ceil(bytes.length / size)}, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    return new Response(ReadableStream.from(pieces) as never);
  });
  const {localStorage} = globalThis;
  Object.assign(globalThis, {localStorage: {getItem: () => null}});
  t.after(() => Object.assign(globalThis, {localStorage}));
  return asked;
}

for (const size of [1, 2, 3, 7, 100_000]) {
  test(`snapshots are read from a stream cut into pieces of ${size} bytes`, async (t) => {
    const asked = page(t, [STREAM, 'id: a-3\n\n'], size);
    const snapshots: unknown[] = [];
    const states: ConnectionState['is'][] = [];
    const connection = new LiveConnection({
      onState: ({is}) => {
        states.push(is);
        if (is === 'down' && asked.length === 1) setImmediate(() => connection.retryNow());
        else if (is === 'down') connection[Symbol.dispose]();
      },
      onSnapshot: (snapshot) => snapshots.push(snapshot),
      onServerTime: () => {},
    });
    await connection.run();
    assert.deepEqual(snapshots, [first, second, first]);
    assert.deepEqual(states, ['live', 'down', 'live', 'down']);
    // An event without an id leaves the last one in force.
    assert.deepEqual(asked, [null, 'a-2']);
  });
}
