import assert from 'node:assert/strict';
import {test} from 'node:test';
import {rawLines} from './recording/raw-lines.ts';
import {scrubRecording} from './recording/scrub-recording.ts';
import type {Private} from './recording/scrub-text.ts';

const THREAD = '01a1e1b6-30ab-7961-9028-dc841341c96b';
const TURN = '01a1e1b6-30db-7152-97f9-7c134c76ec3d';

test('known paths become their stand-ins, the longest first, also as keys', () => {
  const [line] = scrubbed(
    [{t: 1, dir: '<-', msg: {cwd: '/home/ann/ws/A-1/src', files: {'/home/ann/ws/A-1/f': {}}}}],
    {paths: {'/home/ann': '/home/user', '/home/ann/ws/A-1': '/workspace'}},
  );
  assert.deepEqual(line?.msg, {cwd: '/workspace/src', files: {'/workspace/f': {}}});
});

test('keys, tokens and addresses of people are taken out', () => {
  const text =
    'sk-proj-abcdefgh12 and lin_api_0123456789; Bearer abc.def-ghi; odd-one; ann@corp.example';
  const [line] = scrubbed([{t: 1, ev: 'stderr', line: text}], {keys: ['odd-one']});
  assert.equal(line?.line, '<key> and <key>; Bearer <key>; <key>; user@example.com');
});

test('an id is the same wherever it is named, and no longer tells the time', () => {
  const [first, second] = scrubbed([
    {
      t: 1,
      dir: '<-',
      msg: {threadId: THREAD, path: `/x/rollout-2026-11-16T00-16-16-${THREAD}.jsonl`},
    },
    {t: 2, dir: '<-', msg: {threadId: THREAD, turnId: TURN}},
  ]);
  const thread = '00000000-0000-7000-8000-000000000001';
  assert.deepEqual(first?.msg, {
    threadId: thread,
    path: `/x/rollout-2026-01-01T00-00-00-${thread}.jsonl`,
  });
  assert.deepEqual(second?.msg, {
    threadId: thread,
    turnId: '00000000-0000-7000-8000-000000000002',
  });
});

test('times keep their distance, from a day that tells nothing', () => {
  const lines = scrubbed([
    {t: 0, ev: 'run', data: {at: '2026-11-16T00:16:15.000Z'}},
    {
      t: 9,
      dir: '<-',
      msg: {method: 'turn/started', params: {startedAt: 1794788176}, emittedAtMs: 1794788176037},
    },
    {t: 9, ev: 'stderr', line: '\u001b[2m2026-11-16T00:16:16.993809Z\u001b[0m ERROR codex'},
  ]);
  assert.deepEqual(lines, [
    {t: 0, ev: 'run', data: {at: '2026-01-01T00:00:00.000Z'}},
    {
      t: 9,
      dir: '<-',
      msg: {method: 'turn/started', params: {startedAt: 1767225601}, emittedAtMs: 1767225601037},
    },
    {t: 9, ev: 'stderr', line: '\u001b[2m2026-01-01T00:00:01.993Z\u001b[0m ERROR codex'},
  ]);
});

test('a time that the test itself made up stays', () => {
  const limits = {usedPercent: 40, windowDurationMins: 300, resetsAt: 1_900_000_000};
  const [line] = scrubbed([{t: 1, dir: '<-', msg: {params: limits, emittedAtMs: 1794788176037}}]);
  assert.deepEqual(line?.msg, {params: limits, emittedAtMs: Date.UTC(2026, 0, 1)});
});

test('the host is hidden where it is surely the host', () => {
  const [line] = scrubbed(
    [{t: 1, dir: '<-', msg: {serverName: 'main', text: 'the main branch, ann@main'}}],
    {
      hostName: 'main',
    },
  );
  assert.deepEqual(line?.msg, {serverName: 'host', text: 'the main branch, ann@host'});
});

test('ports of loopback are all one', () => {
  const [line] = scrubbed([{t: 1, ev: 'stderr', line: 'http://127.0.0.1:40123/v1 refused'}]);
  assert.equal(line?.line, 'http://127.0.0.1:8080/v1 refused');
});

test('a scrubbed recording is left as it is', () => {
  const once = scrubRecording(
    '{"t":1,"dir":"<-","msg":{"id":"01a1e1b6-30ab-7961-9028-dc841341c96b","emittedAtMs":1794788176037}}\n',
    aPrivate({}),
  );
  assert.equal(scrubRecording(once, aPrivate({})), once);
});

function scrubbed(lines: readonly object[], secrets: Partial<Private> = {}) {
  const transcript = lines.map((line) => JSON.stringify(line)).join('\n');
  return scrubRecording(transcript, aPrivate(secrets))
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

function aPrivate(parts: Partial<Private>): Private {
  return {paths: {}, hostName: 'vm', keys: [], ...parts};
}

test('a recording holds what Codex said, and of streamed text what the transcript has of it', () => {
  const lines = [
    {t: 1, ev: 'run', at: 'now'},
    {t: 2, ev: 'prompt', turn: 1, text: 'Hello.'},
    {
      ...{t: 3, dir: '<-', agent: 'codex'},
      msg: {method: 'turn/started', params: {threadId: 'th', turn: {id: 'tu'}}},
    },
    {t: 4, ev: 'message', id: 'm', delta: 'Good '},
    {t: 5, ev: 'message', id: 'm', text: 'Good morning.', done: true},
    {t: 6, ev: 'agent_exited', exit: 'exit code 0'},
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const recorded = rawLines(text)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(recorded, [
    {t: 1, ev: 'run', at: 'now'},
    {t: 3, dir: '<-', msg: {method: 'turn/started', params: {threadId: 'th', turn: {id: 'tu'}}}},
    {
      ...{t: 4, dir: '<-'},
      msg: {
        method: 'item/agentMessage/delta',
        params: {threadId: 'th', turnId: 'tu', itemId: 'm', delta: 'Good '},
      },
    },
    {t: 6, ev: 'agent_exited', exit: 'exit code 0'},
  ]);
});
