import assert from 'node:assert/strict';
import {test} from 'node:test';
import {addUsage, NO_USAGE, type ThreadRecord, usageBeyond} from '@symphony-supervisor/protocol';
import {aFolder} from '../rig/fixtures/folder.ts';
import {at} from './player/dig.ts';
import {expectedVerdict, verdictOf} from './player/expected-verdict.ts';
import {KNOWN_VERDICTS} from './player/known-verdicts.ts';
import {usageOf} from './player/recorded-settings.ts';
import {bundleAgent} from './player/replayed-codex.ts';
import {readRecording, type Session} from './recording.ts';
import {findRecordings} from './recordings.ts';
import {type Replayed, replay} from './replay.ts';

/** Where the agent never stops saying that it will try again; long enough for it to say so often. */
const IMPATIENT_MS = 1000;
/** None takes more than seconds: a runner that hangs is a failure, and not the end of all tests. */
const TIMEOUT_MS = 120_000;

test('every recording of Codex can be replayed', {concurrency: 3}, async (t) => {
  await using agent = await bundleAgent();
  const recordings = [...findRecordings()].map(([name, path]) =>
    t.test(name, {timeout: TIMEOUT_MS}, async (t) => {
      const sessions = readRecording(path);
      if (sessions.length === 0) return t.skip('no agent was started in it');
      const expected = sessions.map(expectedVerdict);
      assert.deepEqual(expected, KNOWN_VERDICTS[name] ?? expected);
      await replayAll(sessions, expected, agent.path, t.signal);
    }),
  );
  await Promise.all(recordings);
});

/** The sessions of a recording, one after the other in one workspace, as they were made. */
async function replayAll(
  sessions: readonly Session[],
  expected: readonly string[],
  agent: string,
  signal: AbortSignal,
): Promise<void> {
  await using folder = await aFolder();
  let thread: ThreadRecord | null = null;
  for (const [index, session] of sessions.entries()) {
    const ending = expected[index] ?? '';
    const replayed: Replayed = await replay(session, {
      agent,
      signal,
      folder: folder.path,
      thread,
      stops: ending.startsWith('stopped_by_operator'),
      codex: ending.startsWith('timed_out') ? {turn_timeout_ms: IMPATIENT_MS} : {},
    });
    assertVerdict(replayed, ending);
    assertEverythingAnswered(replayed);
    assertToolsCalled(replayed);
    assertTokensCounted(replayed);
    assertThreadRecorded(replayed);
    thread = replayed.result.thread;
  }
}

function assertVerdict({result, exit, report, malformed}: Replayed, expected: string): void {
  const {outcome, failure, question} = result;
  const message = `${failure?.message}; the recording waits for ${report.waitsFor}`;
  assert.equal(verdictOf(result), expected, message);
  assert.deepEqual(exit, {code: 0, signal: null});
  assert.equal(question !== null, outcome === 'input_required');
  assert.equal(malformed, report.rawLines, 'lines that were not understood');
  if (outcome === 'succeeded') assert.equal(report.waitsFor, null, 'the replay is not over');
}

function assertEverythingAnswered({report}: Replayed): void {
  assert.deepEqual(report.unexpected, []);
  for (const {id, method, answers} of report.requests) {
    assert.equal(answers.length, 1, `${method} ${id} was answered ${answers.length} times`);
  }
}

function assertToolsCalled({calls, job, report}: Replayed): void {
  const names = job.tools.map(({name}) => name);
  const asked = report.requests
    .filter(({method, params}) => {
      return method === 'item/tool/call' && names.includes(String(at(params, 'tool')));
    })
    .map(({params}) => [at(params, 'tool'), at(params, 'arguments')]);
  const called = calls.flatMap((call) =>
    call.ask === 'tool' ? [[call.tool, call.arguments]] : [],
  );
  assert.deepEqual(called, asked);
}

/** Of every thread what was last told of it, less what an earlier run has counted. */
function assertTokensCounted({result, job, report}: Replayed): void {
  let expected = NO_USAGE;
  for (const [threadId, total] of Object.entries(report.tokens)) {
    const counted = threadId === job.thread?.id ? job.thread.usage : NO_USAGE;
    expected = addUsage(expected, usageBeyond(counted, usageOf(total)));
  }
  assert.deepEqual(result.usage, expected);
}

/** Whatever came of a run, a later one must be able to go on from where it ended. */
function assertThreadRecorded({result: {thread}, job, report}: Replayed): void {
  const started = report.startedTurns.filter(({threadId}) => threadId === thread?.id).length;
  const earlier = thread?.id === job.thread?.id ? job.thread : null;
  assert.equal(thread?.turns ?? 0, (earlier?.turns ?? 0) + started);
  const total = report.tokens[thread?.id ?? ''];
  assert.deepEqual(
    thread?.usage ?? NO_USAGE,
    total === undefined ? (earlier?.usage ?? NO_USAGE) : usageOf(total),
  );
}
