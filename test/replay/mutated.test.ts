import assert from 'node:assert/strict';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {randomFrom} from '../rig/fixtures/random.ts';
import {MUTATIONS} from './mutate.ts';
import {expectedVerdict, verdictOf} from './player/expected-verdict.ts';
import {bundleAgent} from './player/replayed-codex.ts';
import {readRecording, type Session} from './recording.ts';
import {findRecordings} from './recordings.ts';
import {type Replayed, replay} from './replay.ts';

/** Another one tries other mutations. */
const SEED = Number(process.env.REPLAY_SEED ?? 1);
const ROUNDS = 3;
/** What was left out will never come; these bound the wait for it. */
const IMPATIENT = {turn_timeout_ms: 2000, read_timeout_ms: 4000};
/** None takes more than seconds: a runner that hangs is a failure, and not the end of all tests. */
const TIMEOUT_MS = 120_000;

test(`no disorder in what Codex says ends a runner (seed ${SEED})`, {concurrency: 3}, async (t) => {
  await using agent = await bundleAgent();
  const sessions = [...findRecordings()].flatMap(([name, path]) =>
    readRecording(path)
      .filter(hasTurn)
      .map((session) => ({name, session})),
  );
  const random = randomFrom(SEED);
  const plays = Object.entries(MUTATIONS).flatMap(([what, {apply, isHarmless}]) =>
    Array.from({length: ROUNDS}, () => {
      const {name, session} = random.of(sessions);
      const mutated = apply(session, random);
      const expected = expectedVerdict(session);
      return t.test(`${what}: ${name}`, {timeout: TIMEOUT_MS}, async ({signal}) => {
        const replayed = await replayMutated(mutated, expected, isHarmless, agent.path, signal);
        assertOrderly(replayed);
        if (isHarmless) assert.equal(verdictOf(replayed.result), expected);
      });
    }),
  );
  await Promise.all(plays);
});

async function replayMutated(
  session: Session,
  expected: string,
  isHarmless: boolean,
  agent: string,
  signal: AbortSignal,
): Promise<Replayed> {
  await using folder = await aFolder();
  return await replay(session, {
    agent,
    signal,
    folder: folder.path,
    stops: expected.startsWith('stopped_by_operator'),
    codex: isHarmless && !expected.startsWith('timed_out') ? {} : IMPATIENT,
  });
}

/** It ended by itself, what it came to has a name, and nobody was left without an answer. */
function assertOrderly({result: {outcome, failure}, exit, report}: Replayed): void {
  assert.deepEqual(exit, {code: 0, signal: null});
  assert.equal(failure === null, ['succeeded', 'stopped_by_operator'].includes(outcome));
  // Our own words for something that nobody thought of.
  assert.notEqual(failure?.code, 'workspace_error', failure?.message);
  assert.deepEqual(report.unexpected, []);
  for (const {id, method, answers, duringTurn} of report.requests) {
    if (duringTurn) assert.equal(answers.length, 1, `${method} ${id}`);
  }
}

function hasTurn(session: Session): boolean {
  return ['turn/started', 'turn/completed'].every((method) =>
    session.some((entry) => entry.is === 'said' && entry.message.method === method),
  );
}
