import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Lines} from '../../src/agent/claude/lines/lines.ts';
import {isLife} from '../../src/agent/claude/turn/life.ts';

let calls = 0;

/** A call and its result, and what is shown of each. */
function use(
  lines: Lines,
  name: string,
  input: object,
  result: {content: unknown; is_error?: boolean; output?: unknown; refused?: boolean},
) {
  const id = `toolu_${++calls}`;
  const block = {type: 'tool_use', id, name, input};
  const begun = lines.of({type: 'assistant', uuid: 'u', message: {content: [block]}});
  const {content, is_error = false, output, refused} = result;
  const ended = lines.of({
    type: 'user',
    message: {content: [{type: 'tool_result', tool_use_id: id, content, is_error}]},
    tool_use_result: output,
    ...(refused ? {tool_result_meta: [{id, non_execution_kind: 'permission-rule'}]} : {}),
  });
  return {id, begun, ended};
}

test('a command is shown while it runs, and with its output and exit code', () => {
  const lines = new Lines();
  const input = {command: 'make', description: 'Builds.'};
  const well = use(lines, 'Bash', input, {
    content: 'built',
    output: {stdout: 'built\n\u001b[32mgreen\u001b[0m', stderr: 'a warning'},
  });
  const shown = {ev: 'command', id: well.id, command: 'make', cwd: null, ms: null};
  assert.deepEqual(well.begun, [{...shown, output: null, exit_code: null, status: 'running'}]);
  const output = 'built\ngreen\na warning';
  assert.deepEqual(well.ended, [{...shown, output, exit_code: 0, status: 'completed'}]);
  const [failed] = use(lines, 'Bash', input, {
    content: 'Exit code 2\nno rule',
    is_error: true,
  }).ended;
  assert.ok(failed?.ev === 'command');
  assert.deepEqual([failed.exit_code, failed.output, failed.status], [2, 'no rule', 'failed']);
  const [refused] = use(lines, 'Bash', input, {content: 'no', is_error: true, refused: true}).ended;
  assert.ok(refused?.ev === 'command');
  assert.deepEqual([refused.exit_code, refused.status], [null, 'declined']);
});

test('files that are made and changed are shown with what is new in them', () => {
  const lines = new Lines();
  const made = use(
    lines,
    'Write',
    {file_path: '/w/new', content: 'one\n'},
    {
      content: 'File created',
      output: {type: 'create', structuredPatch: [], originalFile: null},
    },
  );
  const change = {path: '/w/new', kind: 'add', diff: 'one\n'};
  assert.deepEqual(made.ended, [
    {ev: 'file_change', id: made.id, changes: [change], status: 'completed'},
  ]);
  const edit = {file_path: '/w/old', old_string: 'one', new_string: 'two'};
  const hunk = {oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-one', '+two']};
  const changed = use(lines, 'Edit', edit, {content: 'ok', output: {structuredPatch: [hunk]}});
  assert.deepEqual(
    [...changed.begun, ...changed.ended].map((line) =>
      line.ev === 'file_change' ? line.changes[0]?.diff : null,
    ),
    ['-one\n+two\n', '@@ -1,1 +1,1 @@\n-one\n+two\n'],
  );
});

test('a list of things to do is a plan, written whole or task by task', () => {
  const lines = new Lines();
  const todos = [
    {content: 'look', status: 'completed', activeForm: 'Looking'},
    {content: 'act', status: 'in_progress', activeForm: 'Acting'},
  ];
  const whole = use(lines, 'TodoWrite', {todos}, {content: 'ok'});
  assert.deepEqual(whole.begun, [
    {
      ev: 'plan',
      steps: [
        {step: 'look', status: 'completed'},
        {step: 'act', status: 'in_progress'},
      ],
      explanation: null,
    },
  ]);
  assert.deepEqual(whole.ended, []);
  const create = {content: 'Task #1', output: {task: {id: '1', subject: 'look'}}};
  const made = use(lines, 'TaskCreate', {subject: 'look', description: ''}, create);
  assert.deepEqual(made.begun, []);
  assert.deepEqual(steps(made.ended), [{step: 'look', status: 'pending'}]);
  const update = (input: object) => use(lines, 'TaskUpdate', input, {content: 'ok'}).ended;
  const done = [{step: 'look', status: 'completed'}];
  assert.deepEqual(steps(update({taskId: '1', status: 'completed'})), done);
  assert.deepEqual(update({taskId: 'unknown', status: 'completed'}), []);
  assert.deepEqual(steps(update({taskId: '1', status: 'deleted'})), []);
});

test('tools have the names that people know, and a question is not shown twice', () => {
  const lines = new Lines();
  const names = ['mcp__symphony__update_issue', 'mcp__other__look', 'Read'].map((name) => {
    const [line] = use(lines, name, {}, {content: [{type: 'text', text: 'seen'}]}).ended;
    return line?.ev === 'tool' ? [line.name, line.result, line.ok] : null;
  });
  assert.deepEqual(names, [
    ['update_issue', 'seen', true],
    ['other.look', 'seen', true],
    ['Read', 'seen', true],
  ]);
  assert.deepEqual(use(lines, 'AskUserQuestion', {}, {content: 'x'}).begun, []);
});

test('what the model says, thinks and lets helpers do is shown; what the program says is a notice', () => {
  const lines = new Lines();
  const said = (block: object, more: object = {}) =>
    lines.of({
      ...{type: 'assistant', uuid: 'u', parent_tool_use_id: null},
      ...{message: {id: 'm', content: [block]}, ...more},
    });
  const text = {type: 'text', text: 'hello'};
  assert.deepEqual(said(text), [{ev: 'message', id: 'u:0', text: 'hello', done: true}]);
  const [helper] = said(text, {parent_tool_use_id: 'toolu_1'});
  assert.equal(helper?.ev === 'message' && helper.text, '(helper) hello');
  assert.deepEqual(said({type: 'thinking', thinking: 'hm'}), [
    {ev: 'reasoning', id: 'u:0', text: 'hm', done: true},
  ]);
  assert.deepEqual(said({type: 'thinking', thinking: ''}), []);
  assert.deepEqual(said(text, {error: 'server_error'}), [
    {ev: 'notice', level: 'error', text: 'hello'},
  ]);
  const retry = {attempt: 1, max_retries: 4, retry_delay_ms: 533};
  const cause = {error_status: 500, error: 'server_error'};
  assert.deepEqual(lines.of({type: 'system', subtype: 'api_retry', ...retry, ...cause}), [
    {
      ...{ev: 'notice', level: 'warn'},
      text: 'the request to the model failed (500 server_error); retry 1 of 4 in 0.5 s',
    },
  ]);
});

test('messages of any other form say nothing, and harm nothing', () => {
  const lines = new Lines();
  for (const message of [
    ...[{type: 'assistant'}, {type: 'assistant', message: {content: 'text'}}],
    ...[{type: 'assistant', message: {content: [null, 3, {type: 'tool_use'}]}}],
    ...[{type: 'user', message: {content: [{type: 'tool_result', tool_use_id: 'unknown'}]}}],
    ...[{type: 'system'}, {type: 'future', deep: {er: [1, null]}}],
  ]) {
    for (const line of lines.of(message)) assert.equal(line.ev, 'tool');
  }
});

test('a retry, a limit and a list of commands prove no life; a running command does', () => {
  const silent = [
    ...[{type: 'system', subtype: 'api_retry'}, {type: 'rate_limit_event'}],
    {type: 'system', subtype: 'commands_changed'},
  ];
  const alive = [{type: 'assistant'}, {type: 'tool_progress'}, {type: 'system', subtype: 'init'}];
  assert.deepEqual(silent.map(isLife), [false, false, false]);
  assert.deepEqual(alive.map(isLife), [true, true, true]);
});

function steps(lines: ReturnType<Lines['of']>): unknown {
  const [line] = lines;
  return line?.ev === 'plan' ? line.steps : null;
}
