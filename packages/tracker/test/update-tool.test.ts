import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ToolSpec} from '@symphony-supervisor/protocol';
import {MemoryTracker} from '../src/memory/adapter.ts';
import {FolderOfIssues, soon, todo, unwrap} from './file/folder-of-issues.ts';

const A = {identifier: 'A-1', title: 'First', state: 'Todo', labels: ['old']};

async function agent(memory = new MemoryTracker([A])) {
  const [issue] = unwrap(await memory.issuesByIds(['A-1'], soon()));
  assert.ok(issue !== undefined);
  const call = (args: unknown, name = 'update_issue') => memory.callTool(issue, name, args, soon());
  return {memory, issue, call};
}

test('the tool is described so that an agent can call it', async () => {
  const {memory, issue} = await agent();
  const [spec, ...more] = memory.tools(issue);
  assert.ok(ToolSpec.safeParse(spec).success);
  assert.deepEqual(more, []);
  assert.equal(spec?.name, 'update_issue');
  assert.equal(spec?.input_schema.additionalProperties, false);
  assert.deepEqual(Object.keys(spec?.input_schema.properties ?? {}), [
    'state',
    'comment',
    'labels',
  ]);
});

test('it changes what is asked for, all at once, and says what it changed', async () => {
  const {memory, call} = await agent();
  const result = await call({state: ' Review ', comment: 'Ready', labels: ['New', 'old']});
  assert.equal(result.success, true);
  assert.equal(result.wrote, true);
  const {issue, changed} = result.content as {issue: Record<string, unknown>; changed: string[]};
  assert.equal(issue.state, 'Review');
  assert.deepEqual(issue.labels, ['old', 'new']);
  assert.deepEqual(changed, ['state', 'labels', 'comment']);
  assert.deepEqual(memory.comments('A-1'), ['Ready']);
});

test('it writes nothing where nothing changes', async () => {
  const {call} = await agent();
  const result = await call({state: 'todo', labels: ['OLD']});
  assert.equal(result.success, true);
  assert.equal(result.wrote, false);
});

test('two calls in a row do not take each other for a stranger', async () => {
  const {call} = await agent();
  assert.equal((await call({state: 'Review', labels: ['old', 'x']})).success, true);
  const second = await call({state: 'Done', labels: ['old']});
  assert.deepEqual((second.content as {changed: string[]}).changed, ['state', 'labels']);
});

test('arguments that it does not understand are refused with the reason', async () => {
  const rows: [unknown, RegExp][] = [
    [{}, /at least one/],
    [null, /must be an object/],
    [{state: 'Done', issue: 'A-2'}, /unknown: issue/],
    [{state: ''}, /state must not be blank/],
    [{state: 5}, /state must be text/],
    [{state: 'a\nb'}, /state must be one line/],
    [{comment: ' '}, /comment must not be blank/],
    [{labels: 'x'}, /labels must be a list/],
    [{labels: ['a,b']}, /labels\.0 must be one line/],
  ];
  for (const [args, expected] of rows) {
    const {call} = await agent();
    const {success, content, wrote} = await call(args);
    const {error} = content as {error: {code: string; message: string}};
    assert.deepEqual([success, wrote, error.code], [false, false, 'invalid_arguments']);
    assert.match(error.message, expected);
  }
});

test('an unknown tool, a conflict and a lost issue are results', async () => {
  const {memory, issue, call} = await agent();
  const codeOf = async (result: ReturnType<typeof call>) =>
    ((await result).content as {error: {code: string}}).error.code;
  assert.equal(await codeOf(call({}, 'delete_issue')), 'unknown_tool');
  const stale = {...issue, state: 'Review'};
  const done = {state: 'Done'};
  assert.equal(await codeOf(memory.callTool(stale, 'update_issue', done, soon())), 'conflict');
  const gone = {...issue, id: 'gone'};
  assert.equal(
    await codeOf(memory.callTool(gone, 'update_issue', done, soon())),
    'issue_not_found',
  );
  const late = memory.callTool(issue, 'update_issue', done, AbortSignal.abort());
  assert.equal(await codeOf(late), 'tracker_request');
});

test('on files, it is one write', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo('labels: [old]\n')});
  const issue = await folder.issue('A-1');
  const args = {state: 'Review', labels: ['new'], comment: 'Ready'};
  const result = await folder.tracker.callTool(issue, 'update_issue', args, soon());
  assert.equal(result.wrote, true);
  assert.match(
    folder.read('A-1.md'),
    /^---\ntitle: A title\nstate: Review\nlabels: \[new\]\n---\nPlease\.\n\n## Comments\n\n### \S+Z\n\nReady\n$/,
  );
});
