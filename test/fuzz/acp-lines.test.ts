import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AgentProgress} from '@symphony-supervisor/protocol';
import {type AgentLine, loose} from '@symphony-supervisor/protocol/transcript';
import fc from 'fast-check';
import {promptFailure, verdictOf} from '../../packages/runner/src/agent/acp/failures.ts';
import {UpdateReader} from '../../packages/runner/src/agent/acp/lines/updates.ts';
import {answerRequest} from '../../packages/runner/src/agent/acp/requests.ts';
import type {SessionOptions} from '../../packages/runner/src/agent/agent.ts';
import {ProgressKeeper} from '../../packages/runner/src/agent/progress.ts';
import {JsonRpcPeer} from '../../packages/runner/src/agent/wire/peer.ts';
import {findAgentRecordings, readAgentRecording} from '../replay/kinds/agent-recording.ts';
import {OPTIONS} from './runs.ts';
import {spoiled} from './spoil.ts';

/** What the real agents were heard to say, each kind of message and update a few times. */
const MESSAGES = kinds();

function kinds(): unknown[] {
  const byKind = new Map<string, unknown[]>();
  for (const [name, path] of findAgentRecordings('acp')) {
    for (const entry of readAgentRecording(name, path).entries) {
      if (entry.is !== 'agent') continue;
      const {method, params, result} = entry.message;
      const {sessionUpdate} = loose(loose(params).update);
      const kind = JSON.stringify([method, sessionUpdate, loose(result).stopReason]);
      const known = byKind.get(kind) ?? [];
      if (known.length < 5) byKind.set(kind, [...known, entry.message]);
    }
  }
  return [...byKind.values()].flat();
}

/** Our side of a session, down to what a supervisor would be told and a transcript would hold. */
function aClient() {
  const heard = {answers: 0, requests: 0};
  const told = (progress: () => unknown) => {
    const {message} = AgentProgress.parse(progress());
    assert.ok((message?.length ?? 0) <= 300, 'a message is not cut');
  };
  const progress = new ProgressKeeper((text) => text, {progress: told, milestone: told}, false);
  const line = (written: AgentLine) => {
    assert.deepEqual(JSON.parse(JSON.stringify(written)), written, 'it can be written');
  };
  const transcript = {line, streamed: () => {}};
  const updates = new UpdateReader({transcript, progress} as unknown as SessionOptions);
  const peer = new JsonRpcPeer({
    write: () => void heard.answers++,
    onRequest: async (method, params) => {
      heard.requests++;
      const rules = {access: 'artifact', permissions: 'ask', cwd: '/w'} as const;
      return answerRequest(method, params, {...rules, ownTools: new Set(['symphony_look'])}).answer;
    },
    onNotification: (_method, params) => void updates.take(loose(params.update)),
    onMalformed: () => {},
    onLine: () => {},
  });
  return {peer, updates, heard};
}

test('whatever an agent of the protocol says, it is read, and every request gets one answer', async () => {
  const said = fc.array(spoiled(MESSAGES), {minLength: 1, maxLength: 20});
  await fc.assert(
    fc.asyncProperty(said, async (messages) => {
      const {peer, updates, heard} = aClient();
      for (const message of messages) {
        peer.receive(JSON.stringify(message) ?? '');
        const {result, error} = loose(message);
        verdictOf(result, null);
        promptFailure(error, false);
      }
      updates.turnEnded();
      await new Promise(setImmediate);
      assert.equal(heard.answers, heard.requests);
    }),
    OPTIONS,
  );
});
