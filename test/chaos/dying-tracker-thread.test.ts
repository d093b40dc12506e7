import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setTimeout as passed} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {BroadcastChannel} from 'node:worker_threads';
import {startHere} from '../rig/embedded.ts';
import {aProject} from '../rig/supervisor.ts';

const DIST = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
const THREAD = fileURLToPath(new URL('dying-tracker-thread.mjs', import.meta.url));
const MINUTE_MS = 60_000;
const INTERVAL_MS = 10_000;

// The file tracker is watched, so every new thread asks for a tick, because it may have missed a change.
test('a tracker thread that dies of every read is not asked more often than polls and backoff allow', async () => {
  const polling = {interval_ms: INTERVAL_MS};
  await using project = await aProject('true', ['T-1'], {polling});
  using channel = disposable(new BroadcastChannel('reads'));
  let reads = 0;
  channel.onmessage = () => reads++;
  const troubles: unknown[] = [];
  await using _supervisor = await startHere(project.path, DIST, {
    trackerThreadPath: THREAD,
    log: (_level, {event, reason}) => {
      if (event === 'tracker_thread.trouble') troubles.push(reason);
    },
  });
  await passed(MINUTE_MS);
  const polls = MINUTE_MS / INTERVAL_MS + 1;
  // Requests wait 2, 4, 8 s and then an interval; the sweep reads once a minute.
  assert.ok(reads >= polls - 1, `${reads} reads: the tracker was not tried again`);
  assert.ok(reads <= polls + 5, `${reads} reads, ${troubles.length} dead threads`);
});

function disposable(channel: BroadcastChannel): BroadcastChannel & Disposable {
  return Object.assign(channel, {[Symbol.dispose]: () => channel.close()});
}
