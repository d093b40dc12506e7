import assert from 'node:assert/strict';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {expectedVerdict, verdictOf} from './player/expected-verdict.ts';
import {bundleAgent} from './player/replayed-codex.ts';
import {type Entry, readRecording, type Session} from './recording.ts';
import {findRecordings} from './recordings.ts';
import {replay} from './replay.ts';

const TIMEOUT_MS = 120_000;

for (const [name, verdict] of [
  ['a-run-that-was-stopped-in-a-later-turn-counts-no-token-twice', 'stopped_by_operator in turn 2'],
  ['two-turns-on-one-thread', 'succeeded in turn 2'],
] as const) {
  test(`an interrupt of the idle thread between two turns changes nothing: ${name}`, {
    timeout: TIMEOUT_MS,
  }, async ({signal}) => {
    await using agent = await bundleAgent();
    await using folder = await aFolder();
    const session = withIdleInterrupt(recorded(name));
    assert.equal(expectedVerdict(session), verdict);
    const {result, report} = await replay(session, {
      ...{agent: agent.path, folder: folder.path, signal},
      stops: verdict.startsWith('stopped_by_operator'),
    });
    assert.equal(verdictOf(result), verdict);
    assert.deepEqual(report.unexpected, []);
  });
}

function recorded(name: string): Session {
  const path = [...findRecordings()].find(([found]) => found.includes(name))?.[1] ?? '';
  const session = readRecording(path).find((each) => secondTurn(each) !== -1);
  assert.ok(session !== undefined, `${name} has no session of two turns`);
  return session;
}

/** The recorded client interrupts once more after the first turn has ended, and Codex refuses. */
function withIdleInterrupt(session: Session): Session {
  const error = {code: -32600, message: 'no active turn to interrupt'};
  const entries: Entry[] = [
    {is: 'client-request', id: 'idle', method: 'turn/interrupt', params: {}},
    {is: 'said', message: {id: 'idle', error}},
  ];
  return session.toSpliced(secondTurn(session), 0, ...entries);
}

function secondTurn(session: Session): number {
  const starts = session.flatMap((entry, index) =>
    entry.is === 'client-request' && entry.method === 'turn/start' ? [index] : [],
  );
  return starts[1] ?? -1;
}
