import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {AgentLine} from '@symphony-supervisor/protocol/transcript';
import {UpdateReader} from '../../../src/agent/acp/lines/updates.ts';
import type {SessionOptions} from '../../../src/agent/agent.ts';

function aReader() {
  const lines: AgentLine[] = [];
  const pieces: string[] = [];
  const told: (string | null)[] = [];
  const options = {
    transcript: {
      line: (line: AgentLine) => void lines.push(line),
      streamed: (item: string, id: string, text: string) =>
        void pieces.push(`${item} ${id} ${text}`),
    },
    progress: {
      streamed: () => {},
      heard: ({message}: {message: string | null}) => void told.push(message),
    },
  };
  const reader = new UpdateReader(options as unknown as SessionOptions);
  const says = (sessionUpdate: string, messageId: string, text: string) =>
    reader.streamed({
      ...{method: 'session/update', pieces: 1, text},
      params: {update: {sessionUpdate, messageId, content: {type: 'text', text}}},
    });
  return {reader, lines, pieces, told, says};
}

test('pieces of a message are joined; a thought with the same id is something else', () => {
  const {reader, lines, pieces, says} = aReader();
  says('agent_thought_chunk', 'm', 'hm');
  says('agent_message_chunk', 'm', 'good ');
  reader.take({sessionUpdate: 'usage_update', used: 1, size: 2});
  says('agent_message_chunk', 'm', 'morning');
  says('agent_message_chunk', 'n', 'sir');
  reader.turnEnded();
  assert.deepEqual(lines, [
    {ev: 'reasoning', id: 'said-0', text: 'hm', done: true},
    {ev: 'message', id: 'said-1', text: 'good morning', done: true},
    {ev: 'message', id: 'said-2', text: 'sir', done: true},
  ]);
  assert.equal(pieces.length, 4);
});

test('a command is shown when it begins and when it ends, however often its output is repeated', () => {
  const {reader, lines} = aReader();
  const call = {toolCallId: 't', kind: 'execute'};
  reader.take({sessionUpdate: 'tool_call', ...call, title: 'bash', status: 'pending'});
  const running = {...call, status: 'in_progress', rawInput: {command: 'ls', cwd: '/w'}};
  for (const text of ['a', 'ab', 'abc']) {
    const content = [{type: 'content', content: {type: 'text', text}}];
    reader.take({sessionUpdate: 'tool_call_update', ...running, content});
  }
  const rawOutput = {output: '\u001b[1mabc\u001b[0m', metadata: {exit: 2}};
  reader.take({sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', rawOutput});
  reader.take({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't',
    title: 'ls',
    status: 'completed',
  });
  assert.deepEqual(
    lines.map((line) => (line.ev === 'command' ? [line.command, line.status, line.output] : line)),
    [
      ['bash', 'running', null],
      ['ls', 'running', null],
      ['ls', 'completed', 'abc'],
    ],
  );
  const [, , last] = lines;
  assert.ok(last?.ev === 'command');
  assert.deepEqual([last.exit_code, last.cwd], [2, '/w']);
});

test('a change of files is shown as a diff, one that we refused as declined', () => {
  const {reader, lines} = aReader();
  const content = [
    {type: 'diff', path: '/w/new', oldText: null, newText: 'hello\n'},
    {type: 'diff', path: '/w/old', oldText: 'a\nb\nc\n', newText: 'a\nB\nc\n'},
  ];
  const call = {toolCallId: 't', title: 'Write', kind: 'edit', status: 'pending'};
  reader.take({sessionUpdate: 'tool_call', ...call, content});
  reader.decline('t');
  reader.take({sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed'});
  const changes = [
    {path: '/w/new', kind: 'add', diff: 'hello\n'},
    {path: '/w/old', kind: 'update', diff: '@@ -2,1 +2,1 @@\n-b\n+B\n'},
  ];
  assert.deepEqual(lines, [
    {ev: 'file_change', id: 't', changes, status: 'running'},
    {ev: 'file_change', id: 't', changes, status: 'declined'},
  ]);
});

test('plans, other tools and notices have lines of their own', () => {
  const {reader, lines, told} = aReader();
  reader.take({
    sessionUpdate: 'plan',
    entries: [{content: 'look', status: 'completed'}, {content: 'leap', status: 'odd'}, 7],
  });
  const call = {toolCallId: 't', title: 'symphony_look', kind: 'other', rawInput: {at: 1}};
  reader.take({sessionUpdate: 'tool_call', ...call});
  const content = [{type: 'content', content: {type: 'text', text: 'seen'}}];
  reader.take({sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', content});
  reader.take({sessionUpdate: 'notice', severity: 'warning', title: 'slow', description: 'wait'});
  assert.deepEqual(
    lines.map((line) =>
      line.ev === 'tool' ? [line.name, line.input, line.result, line.ok] : line,
    ),
    [
      {
        ev: 'plan',
        steps: [
          {step: 'look', status: 'completed'},
          {step: 'leap', status: 'pending'},
          {step: '', status: 'pending'},
        ],
        explanation: null,
      },
      ['symphony_look', '{\n  "at": 1\n}', null, null],
      ['symphony_look', '{\n  "at": 1\n}', 'seen', true],
      {ev: 'notice', level: 'warn', text: 'slow\nwait'},
    ],
  );
  assert.deepEqual(told, [
    'updated its plan',
    'called symphony_look',
    'called symphony_look',
    'slow\nwait',
  ]);
});

test('what agents tell while they wait is no sign of life, what is unknown is one', () => {
  const {reader, lines} = aReader();
  const life = (sessionUpdate: unknown) => reader.take({sessionUpdate});
  for (const kind of [
    ...['available_commands_update', 'usage_update', 'session_info_update', 'notice'],
    ...['current_mode_update', 'config_option_update', 'user_message_chunk'],
  ]) {
    assert.equal(life(kind), false, kind);
  }
  for (const kind of ['plan', 'tool_call', 'tool_call_update', 'from_the_future', undefined]) {
    assert.equal(life(kind), true, kind);
  }
  assert.deepEqual(
    lines.filter(({ev}) => ev === 'tool'),
    [],
    'a call without a name is none',
  );
});

test('the latest cost that the agent told is kept, and nothing is made of odd ones', () => {
  const {reader} = aReader();
  assert.equal(reader.cost, null);
  reader.take({sessionUpdate: 'usage_update', cost: {amount: 0.5, currency: 'USD'}});
  for (const cost of [null, {amount: 'much'}, {amount: Number.NaN}]) {
    reader.take({sessionUpdate: 'usage_update', cost});
  }
  assert.equal(reader.cost, '0.5 USD');
});
