import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import type {Entry} from '../../packages/orchestrator/src/dashboard/transcript/entry.ts';
import {TranscriptReader} from '../../packages/orchestrator/src/dashboard/transcript/transcript-reader.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

type Line = Record<string, unknown>;

const RAW = [
  {method: 'item/agentMessage/delta', params: {itemId: 'm1', delta: 'I look '}},
  {method: 'item/agentMessage/delta', params: {itemId: 'm1', delta: 'around'}},
  {
    method: 'item/completed',
    params: {item: {type: 'agentMessage', id: 'm1', text: 'I look around'}},
  },
  {
    method: 'item/completed',
    params: {item: {type: 'reasoning', id: 'r1', summary: ['why', 'so'], content: []}},
  },
  {
    method: 'turn/plan/updated',
    params: {explanation: null, plan: [{step: 'one', status: 'inProgress'}]},
  },
  {
    method: 'item/started',
    params: {item: {type: 'commandExecution', id: 'c1', command: 'ls', status: 'inProgress'}},
  },
  {
    method: 'item/completed',
    params: {
      item: {
        ...{type: 'commandExecution', id: 'c1', command: "/bin/bash -lc 'ls'", cwd: '/w'},
        ...{aggregatedOutput: 'a\nb', exitCode: 2, status: 'failed', durationMs: 5},
      },
    },
  },
  {
    method: 'item/completed',
    params: {
      item: {
        ...{type: 'fileChange', id: 'f1', status: 'completed'},
        changes: [{path: 'a.txt', kind: {type: 'add'}, diff: 'hello'}],
      },
    },
  },
  {
    method: 'item/completed',
    params: {
      item: {
        ...{type: 'mcpToolCall', id: 't1', server: 's', tool: 'look', status: 'completed'},
        ...{arguments: {at: 1}, result: {content: [{type: 'text', text: 'seen'}]}},
      },
    },
  },
  {method: 'warning', params: {message: 'careful'}},
  {
    method: 'thread/tokenUsage/updated',
    params: {threadId: 'helper', tokenUsage: {total: {totalTokens: 7}}},
  },
];

test('what an agent did is in its transcript in words that hold for every agent, beside the raw messages', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {agent: {command: puppet.command}});
  await using runner = new RunnerRig(job);
  const turn = await puppet.nextTurn();
  for (const message of RAW) await turn.sends(JSON.stringify(message));
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
  const lines: Line[] = (await readFile(job.transcript_path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

  const said = lines.filter(({id}) => id === 'm1').map(({t: _, ...line}) => line);
  // Pieces that come far apart, as on a busy machine, are not joined.
  const pieces = said.filter(({delta}) => delta !== undefined);
  assert.equal(pieces.map(({delta}) => delta).join(''), 'I look around');
  assert.deepEqual(said.slice(pieces.length), [
    {ev: 'message', id: 'm1', text: 'I look around', done: true},
  ]);
  assert.deepEqual(
    lines.filter(({ev}) => ev === 'prompt').map(({turn: nth, text}) => [nth, text]),
    [[1, 'Work on ABC-1.']],
  );
  assert.ok(lines.every(({dir, agent}) => dir === undefined || agent === 'codex'));

  // A former version would have written the raw messages alone, and they mean the same.
  const raw = lines
    .filter((line) => 'dir' in line || !NEUTRAL.has(String(line.ev)))
    .map(({agent: _, ...line}) => line);
  const neutral = lines.filter((line) => !('dir' in line));
  assert.deepEqual(shown(neutral), shown(raw));
  assert.deepEqual(shown(lines), shown(neutral));
  const kinds = new Set(shown(neutral).map(({is}) => is));
  for (const is of ['message', 'reasoning', 'plan', 'command', 'files', 'tool', 'notice', 'turn'])
    assert.ok(kinds.has(is as Entry['is']), `there is no ${is}`);
});

const NEUTRAL = new Set([
  ...['message', 'reasoning', 'plan', 'command', 'file_change', 'tool', 'question', 'notice'],
  ...['usage', 'prompt', 'turn_ended'],
]);

/** What a person sees, but for times. */
function shown(lines: readonly Line[]): {is: Entry['is']}[] {
  const reader = new TranscriptReader();
  reader.take(lines.map((line) => JSON.stringify(line)));
  return reader.entries.map(({at: _, key: __, ...entry}) =>
    entry.is === 'turn' ? {...entry, ms: 0} : entry,
  );
}
