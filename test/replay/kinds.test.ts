import assert from 'node:assert/strict';
import {test} from 'node:test';
import {findAgentRecordings, readAgentRecording} from './kinds/agent-recording.ts';
import {RECORDED_KINDS} from './kinds/all.ts';
import {replayKind} from './kinds/replay-kind.ts';

/** None takes more than seconds: a session that hangs is a failure, and not the end of all tests. */
const TIMEOUT_MS = 60_000;
const hasOwnFolder = process.env.AGENT_TRANSCRIPTS === undefined;

for (const kind of RECORDED_KINDS) {
  const recordings = findAgentRecordings(kind.kind);

  test(`there are recordings of ${kind.kind}, and each of ours has its verdict`, () => {
    assert.ok(recordings.size > 0, 'no recordings');
    if (!hasOwnFolder) return;
    assert.deepEqual([...recordings.keys()].sort(), Object.keys(kind.verdicts).sort());
  });

  for (const [name, path] of recordings) {
    test(`${name} is replayed, and nothing is left unanswered`, {timeout: TIMEOUT_MS}, async () => {
      const recording = readAgentRecording(name, path);
      const replayed = await replayKind(kind, recording);
      assert.deepEqual(replayed.wronglyAnswered, []);
      assert.deepEqual(replayed.unexpected, []);
      assert.deepEqual(replayed.leftProcesses, []);
      // Of a recording that is not ours it is only known that its turns have ended.
      const expected = kind.verdicts[name];
      if (expected !== undefined) assert.equal(replayed.verdict, expected);
    });
  }
}

test('a recording of the format is read whole, whatever its kind', () => {
  for (const folder of ['acp', 'claude']) {
    const recordings = findAgentRecordings(folder);
    assert.ok(recordings.size > 0, folder);
    for (const [name, path] of recordings) {
      const {args, entries} = readAgentRecording(name, path);
      assert.notDeepEqual(args, [], name);
      assert.equal(entries.at(-1)?.is, 'exit', name);
    }
  }
});
