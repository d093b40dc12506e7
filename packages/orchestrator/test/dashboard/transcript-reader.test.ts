import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {unwrapShell} from '../../../protocol/src/agents/codex/item-line.ts';
import {diffLines, tally} from '../../src/dashboard/transcript/diff-lines.ts';
import type {Entry} from '../../src/dashboard/transcript/entry.ts';
import {TranscriptReader} from '../../src/dashboard/transcript/transcript-reader.ts';

const RECORDINGS = fileURLToPath(new URL('../../../../test/recordings/codex/', import.meta.url));

function recorded(name: string): string[] {
  return readFileSync(`${RECORDINGS}${name}.jsonl`, 'utf8').split('\n');
}

function read(lines: readonly (object | string)[]): TranscriptReader {
  const reader = new TranscriptReader();
  reader.take(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))));
  return reader;
}

function of<Is extends Entry['is']>(reader: TranscriptReader, is: Is) {
  return reader.entries.filter((entry): entry is Extract<Entry, {is: Is}> => entry.is === is);
}

function received(method: string, params: object, t = 1) {
  return {t, dir: '<-', msg: {method, params}};
}

test('two recorded turns read as prompts, messages and ends of turns', () => {
  const reader = read(recorded('two-turns-on-one-thread'));
  assert.deepEqual(
    of(reader, 'prompt').map(({turn}) => turn),
    [1, 2],
  );
  assert.equal(of(reader, 'prompt')[0]?.text, 'Work on ABC-1.');
  assert.equal(of(reader, 'turn').length, 2);
  assert.ok(of(reader, 'message').every(({text, done}) => text !== '' && done));
  assert.ok(reader.tokens.length > 0);
  const names = reader.stretches.map(({name}) => name);
  assert.deepEqual(names.slice(0, 2), ['workspace', 'after_create']);
  assert.ok(names.includes('turn 2'));
  assert.ok(reader.stretches.slice(0, -1).every(({from, to}) => to !== null && to >= from));
});

test('every recording of the real agent can be read, whole or in pieces', () => {
  const names = readdirSync(RECORDINGS).filter((name) => name.endsWith('.jsonl'));
  assert.ok(names.length > 30);
  for (const name of names) {
    const lines = recorded(name.replace(/\.jsonl$/, ''));
    const whole = read(lines);
    const pieces = new TranscriptReader();
    for (const line of lines) pieces.take([line]);
    assert.ok(whole.entries.length > 0, name);
    assert.deepEqual(pieces.entries, whole.entries, name);
    assert.ok(
      whole.entries.every((entry) => entry.is !== 'notice' || !entry.text.includes('not JSON')),
      name,
    );
  }
});

test('a recorded command shows what was run, what came of it, and how it ended', () => {
  const reader = read(recorded('an-agent-can-commit-in-its-workspace'));
  const status = of(reader, 'command').find(({command}) => command.includes('git'));
  assert.ok(status !== undefined);
  assert.equal(status.exitCode, 0);
  assert.doesNotMatch(status.command, /^\/bin\/bash/);
});

test('a recorded question, a tool call and a refused tool are told', () => {
  const asked = read(recorded('a-question-of-the-agent-ends-the-run-even-under-never'));
  const [question] = of(asked, 'question');
  assert.equal(question?.text, 'Which colour?');
  assert.deepEqual(question?.options, ['Red', 'Blue']);
  const failed = read(recorded('a-failed-tool-call-is-read-by-the-model-and-the-turn-goes-on'));
  const [call] = of(failed, 'tool');
  assert.equal(call?.name, 'tracker_comment');
  assert.equal(call?.ok, false);
  assert.match(call?.result ?? '', /locked/);
});

test('what is streamed grows in place, and the finished item has the last word', () => {
  const reader = new TranscriptReader();
  const take = (line: object) => reader.take([JSON.stringify(line)]);
  const item = {type: 'commandExecution', id: 'c', command: 'make', status: 'inProgress'};
  take(received('item/started', {item}));
  const first = reader.entries[0];
  take(
    received('item/commandExecution/outputDelta', {itemId: 'c', delta: '\u001b[1mone\u001b[0m\n'}),
  );
  take(received('item/commandExecution/outputDelta', {itemId: 'c', delta: 'two\n'}));
  assert.equal(of(reader, 'command')[0]?.output, 'one\ntwo\n');
  assert.notEqual(reader.entries[0], first, 'a changed entry is a new object');
  const ended = {
    ...item,
    status: 'completed',
    exitCode: 0,
    aggregatedOutput: null,
    completedAtMs: 1,
  };
  take(received('item/completed', {item: ended}));
  assert.equal(reader.entries.length, 1);
  assert.equal(of(reader, 'command')[0]?.output, 'one\ntwo\n');
});

test('the same item id in a later turn is another item', () => {
  const item = {type: 'agentMessage', id: 'msg_0', text: 'one', completedAtMs: 1};
  const start = {t: 1, dir: '->', msg: {method: 'turn/start', params: {input: []}}};
  const reader = read([
    start,
    received('item/started', {item: {...item, text: '', completedAtMs: null}}),
    start,
    received('item/completed', {item: {...item, text: 'two'}}),
  ]);
  assert.deepEqual(
    of(reader, 'message').map(({text}) => text),
    ['', 'two'],
  );
});

test('a plan is kept up to date within its turn', () => {
  const plan = (status: string) => ({plan: [{step: 'look', status}], explanation: 'why'});
  const reader = read([
    received('turn/plan/updated', plan('inProgress')),
    received('turn/plan/updated', plan('completed')),
  ]);
  assert.deepEqual(
    of(reader, 'plan').map(({steps}) => steps[0]?.status),
    ['completed'],
  );
});

test('lines that are no JSON, of no known shape or cut do no harm', () => {
  const reader = read([
    '{"t":1,"ev":"hook_st',
    'null',
    '[]',
    '{"t":"x","dir":"<-","msg":7}',
    received('item/started', {item: null}),
    received('item/completed', {item: {type: 'fileChange', id: 'f', changes: [null, {path: 3}]}}),
    received('turn/completed', {turn: 'no'}),
    {t: 2, ev: 'transcript_full', limit: 10},
  ]);
  assert.equal(reader.isFull, true);
  assert.match(of(reader, 'notice')[0]?.text ?? '', /not JSON/);
  assert.deepEqual(of(reader, 'files')[0]?.changes[1], {path: '', kind: 'update', diff: ''});
});

test('what was left out of a transcript is told in its place', () => {
  const reader = read([{t: 2, ev: 'transcript_cut', bytes: 12_345_678}]);
  assert.match(of(reader, 'notice')[0]?.text ?? '', /^12\.3 MB are omitted here/);
});

test('the words of a shell are shown without the shell', () => {
  assert.equal(unwrapShell(`/bin/bash -lc 'git status'`), 'git status');
  assert.equal(unwrapShell(`bash -c 'echo '\\''a'\\'''`), `echo 'a'`);
  assert.equal(unwrapShell('npm test'), 'npm test');
});

test('a diff tells what was added, removed and kept, and where', () => {
  const diff =
    '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n same\n--- not a header\n+new\n\\ No newline at end';
  const lines = diffLines({kind: 'update', diff});
  assert.deepEqual(
    lines.map(({is, text}) => `${is} ${text}`),
    ['place @@ -1,3 +1,3 @@', 'same same', 'removed -- not a header', 'added new'],
  );
  assert.deepEqual(tally(lines), {added: 1, removed: 1});
  assert.deepEqual(tally(diffLines({kind: 'add', diff: 'a\nb\n'})), {added: 2, removed: 0});
  assert.deepEqual(tally(diffLines({kind: 'delete', diff: 'a\n'})), {added: 0, removed: 1});
  assert.deepEqual(diffLines({kind: 'add', diff: ''}), []);
});

test('what an agent may ask for, and what it does beside its work, is told', () => {
  const item = (type: string, fields: object = {}) =>
    received('item/completed', {item: {type, id: type, completedAtMs: 1, ...fields}});
  const reader = read([
    item('webSearch', {query: 'how to'}),
    item('plan', {text: 'first this'}),
    item('contextCompaction'),
    received('thread/compacted', {}),
    received('mcpServer/elicitation/request', {message: 'Your name?'}),
    received('item/commandExecution/requestApproval', {command: 'rm x', reason: 'it is old'}),
    received('item/fileChange/requestApproval', {}),
    received('item/permissions/requestApproval', {}),
    received('turn/hum', {}),
  ]);
  const [search] = of(reader, 'tool');
  assert.deepEqual([search?.name, search?.input, search?.ok], ['web search', 'how to', true]);
  assert.equal(of(reader, 'message')[0]?.text, 'first this');
  assert.deepEqual(
    of(reader, 'notice').map(({text}) => text),
    ['agent: contextCompaction', 'the conversation was compacted'],
  );
  assert.deepEqual(
    of(reader, 'question').map(({text}) => text),
    [
      'Your name?',
      'may it run: rm x\nit is old',
      'may it change files outside its workspace',
      'may it have more permissions',
    ],
  );
});
