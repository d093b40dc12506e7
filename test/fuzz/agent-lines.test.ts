import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AgentProgress, LineSplitter} from '@symphony-supervisor/protocol';
import fc from 'fast-check';
import {turnFailure} from '../../packages/runner/src/agent/codex/failures.ts';
import {takeNotice} from '../../packages/runner/src/agent/codex/notices.ts';
import {answerRequest} from '../../packages/runner/src/agent/codex/requests.ts';
import {Turn, TurnNotice} from '../../packages/runner/src/agent/codex/wire/messages.ts';
import {ProgressKeeper} from '../../packages/runner/src/agent/progress.ts';
import {JsonRpcPeer} from '../../packages/runner/src/agent/wire/peer.ts';
import {readRecording} from '../replay/recording.ts';
import {findRecordings} from '../replay/recordings.ts';
import {OPTIONS} from './runs.ts';
import {spoiled} from './spoil.ts';

const LIMIT = 4_000;
/** Every kind of message that the real agent was heard to send; of each a few. */
const MESSAGES = kinds();

function kinds(): unknown[] {
  const byMethod = new Map<string, unknown[]>();
  for (const path of findRecordings().values()) {
    for (const session of readRecording(path)) {
      for (const entry of session) {
        if (entry.is !== 'said') continue;
        const known = byMethod.get(entry.message.method ?? 'answer') ?? [];
        if (known.length < 5)
          byMethod.set(entry.message.method ?? 'answer', [...known, entry.message]);
      }
    }
  }
  return [...byMethod.values()].flat();
}

interface Heard {
  readonly answers: unknown[];
  requests: number;
}

/** The agent's side of a run as it is wired up there, down to what a supervisor would be told. */
function aClient(): {
  receive: (line: string) => void;
  malformed: (what: string) => void;
  heard: Heard;
} {
  const heard: Heard = {answers: [], requests: 0};
  const told = (progress: () => unknown) => {
    const {message} = AgentProgress.parse(progress());
    assert.ok((message?.length ?? 0) <= 300, 'a message is not cut');
  };
  const keeper = new ProgressKeeper((text) => text, {progress: told, milestone: told}, true);
  const peer = new JsonRpcPeer({
    write: (line) => void heard.answers.push(JSON.parse(line)),
    onRequest: async (method, params) => {
      heard.requests++;
      const callTool = async () => ({success: true, content: null, wrote: false});
      const rules = {
        approvesCommands: method.length % 2 === 0,
        toolNames: new Set(['move']),
        callTool,
      };
      return (await answerRequest(method, params, rules)).answer;
    },
    onNotification: (method, params) => {
      takeNotice(method, params, keeper, null);
      const notice = TurnNotice.safeParse(params);
      if (notice.success) turnFailure(Turn.parse(notice.data.turn).error, keeper.rateLimits);
    },
    onMalformed: (line) => keeper.malformed(line),
    onLine: () => {},
  });
  return {
    receive: (line) => peer.receive(line),
    malformed: (what) => keeper.malformed(what),
    heard,
  };
}

test(`whatever an agent says is told in bounded words, and every request gets one answer`, async () => {
  const lines = fc.array(
    fc.oneof(
      spoiled(MESSAGES).map((message) => JSON.stringify(message) ?? ''),
      spoiled(MESSAGES).map((message) => (JSON.stringify(message) ?? '').slice(0, -7)),
      fc.string({unit: 'binary', maxLength: 50}),
    ),
    {minLength: 1, maxLength: 20},
  );
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.integer({min: 1, max: 3_000})), async (said, cuts) => {
      const {receive, malformed, heard} = aClient();
      const splitter = new LineSplitter(
        (line) => {
          assert.ok(Buffer.byteLength(line) <= 3 * LIMIT, 'a line is longer than the limit');
          receive(line);
        },
        (bytes) => malformed(`a line of ${bytes} bytes`),
        LIMIT,
      );
      for (const chunk of chunksOf(Buffer.from(`${said.join('\n')}\n`), cuts)) splitter.push(chunk);
      splitter.end();
      await new Promise(setImmediate);
      assert.equal(heard.answers.length, heard.requests);
    }),
    OPTIONS,
  );
});

function* chunksOf(bytes: Buffer, cuts: readonly number[]): Generator<Buffer> {
  let start = 0;
  for (const cut of cuts) {
    yield bytes.subarray(start, start + cut);
    start += cut;
  }
  yield bytes.subarray(start);
}
