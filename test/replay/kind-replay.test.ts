import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import type {TeletypeJob} from '../../packages/runner/test/agent/example/agent.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {readAgentRecording} from './kinds/agent-recording.ts';
import type {RecordedKind} from './kinds/recorded-kind.ts';
import {type ReplayedKind, replayKind} from './kinds/replay-kind.ts';
import {recordedTeletype} from './kinds/teletype.ts';

// The replay itself, with the agent of the docs.

const TIMEOUT_MS = 60_000;
const us = (msg: object) => ({t: 1, dir: '->', msg});
const it = (msg: object | string) => ({t: 1, dir: '<-', msg});
const OPENING = [
  {t: 0, ev: 'spawn', argv: ['teletype']},
  ...[us({hello: true}), it({version: '1.0'}), us({open: null}), it({opened: 'one'})],
];
const EXIT = {t: 9, ev: 'exit', code: 0, signal: null};
const A_TURN = [us({turn: 'Work.'}), it({began: 1}), it({says: 'done'}), it({ended: null})];

const PLAYS: readonly (readonly [what: string, lines: readonly object[], verdict: string])[] = [
  ['two turns', [...OPENING, ...A_TURN, ...A_TURN, EXIT], 'completed, completed'],
  ['a handshake that was not recorded', [...OPENING.slice(3), ...A_TURN, EXIT], 'completed'],
  [
    'a request that our client does not make',
    [...OPENING.slice(0, 3), us({hello: true}), ...OPENING.slice(3), ...A_TURN, EXIT],
    'completed',
  ],
  [
    'a line that is no message, and words on stderr',
    [...OPENING, it('no message'), {t: 1, ev: 'stderr', line: 'oh'}, ...A_TURN, EXIT],
    'completed',
  ],
  [
    'an interrupt',
    [
      ...[...OPENING, us({turn: 'Work.'}), it({began: 1}), us({stop: true})],
      ...[it({ended: {by: 'stop', reason: 'stopped'}}), ...A_TURN, EXIT],
    ],
    'turn_cancelled, completed',
  ],
  [
    'a question that the recorded client had let pass',
    [
      ...[...OPENING, us({turn: 'Paint.'}), it({began: 1}), it({asks: 'Which colour?'})],
      ...[us({answered: 'blue'}), it({says: 'blue'}), it({ended: null}), ...A_TURN, EXIT],
    ],
    'turn_input_required',
  ],
  [
    'a call that was granted then and now',
    [
      ...[...OPENING, us({turn: 'Look.'}), it({began: 1}), it({calls: 'look', with: {}})],
      ...[us({result: 'a view'}), it({says: 'seen'}), it({ended: null}), EXIT],
    ],
    'completed',
  ],
  [
    'a call that was refused then',
    [
      ...[...OPENING, us({turn: 'Look.'}), it({began: 1}), it({calls: 'look', with: {}})],
      ...[us({result: 'no'}), it({says: 'blind'}), it({ended: null}), ...A_TURN, EXIT],
    ],
    'turn_cancelled, completed',
  ],
  [
    'an agent that was killed in a turn',
    [
      ...[...OPENING, ...A_TURN, us({turn: 'Work.'}), it({began: 2})],
      {...EXIT, code: null, signal: 'SIGKILL'},
    ],
    'completed, port_exit',
  ],
  [
    'an agent that ended before there was a conversation',
    [...OPENING.slice(0, 2), {...EXIT, code: 1}],
    'not started: port_exit',
  ],
];

for (const [what, lines, verdict] of PLAYS) {
  test(`a recording is replayed: ${what}`, {timeout: TIMEOUT_MS}, async () => {
    const replayed = await play(lines);
    assert.equal(replayed.verdict, verdict);
    assert.deepEqual(replayed.wronglyAnswered, []);
    assert.deepEqual(replayed.unexpected, []);
    assert.deepEqual(replayed.leftProcesses, []);
  });
}

test('a request of ours that the agent would not know is on record', {
  timeout: TIMEOUT_MS,
}, async () => {
  const {protocol, job} = recordedTeletype;
  const {unexpected, verdict} = await play([...A_TURN, EXIT], {
    ...recordedTeletype,
    protocol: {...protocol, improvised: () => null},
    job: (command, recording) => ({...job(command, recording), read_timeout_ms: 500}),
  });
  assert.deepEqual(unexpected, ['{"hello":true}']);
  assert.equal(verdict, 'not started: response_timeout');
});

test('a request of the agent that gets no answer is on record', {timeout: TIMEOUT_MS}, async () => {
  const {protocol} = recordedTeletype;
  const client: typeof protocol.client = (message) =>
    'result' in message ? {is: 'notice'} : protocol.client(message);
  const deaf = {...recordedTeletype, protocol: {...protocol, client}};
  const lines = [...OPENING, us({turn: 'Look.'}), it({began: 1}), it({calls: 'look', with: {}})];
  const {wronglyAnswered} = await play([...lines, it({ended: null}), EXIT], deaf);
  assert.deepEqual(wronglyAnswered, ['call']);
});

async function play(
  lines: readonly object[],
  kind: RecordedKind<TeletypeJob> = recordedTeletype,
): Promise<ReplayedKind> {
  await using folder = await aFolder();
  const path = join(folder.path, 'teletype-played.jsonl');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return await replayKind(kind, readAgentRecording('played', path));
}
