import assert from 'node:assert/strict';
import {chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {Issue} from '@symphony-supervisor/protocol';
import {FileTracker} from '../../src/file/adapter.ts';
import {FolderOfIssues, soon, todo, unwrap} from './folder-of-issues.ts';

/** What the tracker says about one file of this content. */
async function outcomeOf(content: string | Buffer): Promise<Issue | string> {
  await using folder = new FolderOfIssues({'A-1.md': content});
  const answer = await folder.tracker.issuesByIds(['A-1'], soon());
  if (!answer.ok) return answer.failure.message.replace(`${folder.path}/`, '');
  const [issue] = answer.value;
  assert.ok(issue !== undefined);
  return issue;
}

async function issueOf(content: string): Promise<Issue> {
  const outcome = await outcomeOf(content);
  assert.ok(typeof outcome !== 'string', String(outcome));
  assert.ok(Issue.safeParse(outcome).success);
  return outcome;
}

test('what a file does not say has a default', async () => {
  await using folder = new FolderOfIssues({
    'A-1.md': '---\nstate: Todo\n---\n# A title #\n\nText.\n',
  });
  const {birthtime, mtime} = statSync(folder.at('A-1.md'), {bigint: true});
  assert.deepEqual(await folder.issue('A-1'), {
    id: 'A-1',
    identifier: 'A-1',
    title: 'A title',
    description: '# A title #\n\nText.',
    priority: null,
    state: 'Todo',
    branch_name: null,
    url: pathToFileURL(folder.at('A-1.md')).href,
    assignee_id: null,
    labels: [],
    blocked_by: [],
    dispatchable: true,
    native_ref: {file: 'A-1.md', comments: null},
    created_at: birthtime.toISOString(),
    updated_at: mtime.toISOString(),
  });
});

test('what a file says is taken as it was written', async () => {
  const rows: [lines: string, Partial<Issue>][] = [
    ['assignee: ann', {assignee_id: 'ann'}],
    ['assignee:', {assignee_id: null}],
    ['priority: 2', {priority: 2}],
    ['priority: urgent', {priority: null}],
    ['labels: [Bug, " ui "]', {labels: ['bug', 'ui']}],
    ['labels:\n  - Bug\n  - 2', {labels: ['bug', '2']}],
    ['labels: Bug, UI', {labels: ['bug', 'ui']}],
    ['labels: {a: b}', {labels: []}],
    ['created_at: 2024-01-02', {created_at: '2024-01-02T00:00:00.000Z'}],
    ['created_at: soon', {created_at: null}],
    ['url: https://example.org/1', {url: 'https://example.org/1'}],
    ['branch_name: a-1', {branch_name: 'a-1'}],
    ['anything: else\nlist: [1, {a: 2}]', {}],
    ['x: &me ann\nassignee: *me', {assignee_id: 'ann'}],
    ['labels: &l [a, *l]', {labels: ['a']}],
  ];
  for (const [lines, expected] of rows) {
    const issue = await issueOf(todo(`${lines}\n`));
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(issue[key as keyof Issue], value, lines);
    }
  }
});

test('id and identifier may be given, and keep their leading zeros', async () => {
  await using folder = new FolderOfIssues({
    'a.md': todo('identifier: 007\n'),
    'b.md': todo('id: 0x1F\n'),
  });
  const named = unwrap(await folder.tracker.issuesByIds(['007', '0x1F'], soon()));
  assert.deepEqual(
    named.map(({id, identifier}) => [id, identifier]),
    [
      ['007', '007'],
      ['0x1F', 'b'],
    ],
  );
});

test('the title is the first heading that is not code', async () => {
  const body = '```sh\n# not this\n```\n\n~~~\n```\n# nor this\n~~~\n  ## This one ##\n# Later\n';
  const {title} = await issueOf(`---\nstate: Todo\n---\n${body}`);
  assert.equal(title, 'This one');
});

test('comments are no part of the description, and are kept beside it', async () => {
  const rows: [body: string, description: string | null, comments: string | null][] = [
    ['Do it.\n\n## Comments\n\n### now\n\nDone.\n', 'Do it.', '### now\n\nDone.'],
    ['Do it.\n\n## comments ##\nHi\n\n## Notes\nx\n', 'Do it.\n\n## Notes\nx', 'Hi'],
    ['## Comments\n# Part two\n', '# Part two', null],
    ['## Comments\na\n## Comments\nb', '## Comments\na', 'b'],
    ['```\n## Comments\n```\n', '```\n## Comments\n```', null],
    ['### Comments\nx', '### Comments\nx', null],
    ['## Comments', null, null],
  ];
  for (const [body, description, comments] of rows) {
    const issue = await issueOf(todo('', body));
    assert.equal(issue.description, description, body);
    assert.deepEqual(issue.native_ref, {file: 'A-1.md', comments}, body);
  }
  assert.match(
    String(await outcomeOf('---\nstate: Todo\n---\n## Comments\n### now\n')),
    /title is missing/,
  );
});

test('a BOM, CRLF and blanks after the dashes change nothing', async () => {
  const {state, title, description} = await issueOf(
    '\uFEFF---  \r\ntitle: "T"\r\nstate: Todo # now\r\n--- \t\r\nBody\r\n',
  );
  assert.deepEqual([state, title, description], ['Todo', 'T', 'Body']);
});

test('a file that is no issue is told by name, line and reason', async () => {
  const rows: [content: string | Buffer, expected: RegExp][] = [
    ['# Just a title\n', /^A-1\.md:1: expected front matter/],
    ['', /^A-1\.md:1: expected front matter/],
    ['---\nstate: Todo\n', /^A-1\.md:1: .*not closed/],
    ['---\n---\n# T\n', /^A-1\.md:1: state is missing/],
    ['---\ntitle: T\n---\n', /^A-1\.md:1: state is missing/],
    ['---\ntitle: T\nstate:\n---\n', /^A-1\.md:3: state is missing/],
    ['---\ntitle: T\nstate: ""\n---\n', /^A-1\.md:3: state must be text/],
    ['---\ntitle: T\n\nstate: [Todo]\n---\n', /^A-1\.md:4: state must be text/],
    ['---\nstate: Todo\n---\nno heading\n', /^A-1\.md:1: title is missing/],
    ['---\n- state\n---\n', /^A-1\.md:2: .*map/],
    ['---\nstate: Todo\nstate: Done\n---\n', /^A-1\.md:3: .*unique/],
    ['---\r\nstate: Todo\r\ntitle: "a\r\n---\r\n', /^A-1\.md:\d: .*quote/],
    ['---\nstate: Todo\na: b: c\n---\n', /^A-1\.md:3: /],
    [Buffer.from([0x2d, 0xff, 0x2d]), /^A-1\.md: is not UTF-8/],
    [`${todo()}${'x'.repeat(1024 * 1024)}`, /^A-1\.md: is longer than 1 MB/],
  ];
  for (const [content, expected] of rows) assert.match(String(await outcomeOf(content)), expected);
});

test('one bad file hides no other', async () => {
  await using folder = new FolderOfIssues({
    'A-1.md': todo(),
    'A-2.md': '---\nid: two\nstate: Todo\ntitle: [\n---\n',
    'A-3.md': todo(),
    'README.md': '# About this folder\n',
  });
  const {tracker} = folder;
  const byState = await tracker.issuesByStates(['todo'], soon());
  assert.ok(byState.ok);
  assert.deepEqual(
    byState.value.map(({id}) => id),
    ['A-1', 'A-3'],
  );
  assert.equal(byState.warnings[0]?.count, 2);
  assert.match(byState.warnings[0]?.examples[0] ?? '', /A-2\.md:\d: /);

  const others = await tracker.issuesByIds(['A-3', 'gone', 'A-1', 'A-3'], soon());
  assert.deepEqual(
    unwrap(others).map(({id}) => id),
    ['A-1', 'A-3'],
  );
  const itself = await tracker.issuesByIds(['A-1', 'two'], soon());
  assert.ok(!itself.ok && itself.failure.code === 'tracker_response');
  assert.match(itself.failure.message, /A-2\.md:\d/);

  const byName = await tracker.issuesByIdentifiers(['A-1', 'A-2'], soon());
  assert.ok(byName.ok && byName.value.length === 1 && byName.warnings[0]?.count === 1);
});

test('a file that becomes unreadable is still known by the id it had', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo('id: one\n')});
  assert.equal((await folder.issue('one')).identifier, 'A-1');
  for (const content of ['', 'still nothing']) {
    folder.write('A-1.md', content);
    const answer = await folder.tracker.issuesByIds(['one'], soon());
    assert.ok(!answer.ok && answer.failure.code === 'tracker_response');
  }
  rmSync(folder.at('A-1.md'));
  assert.deepEqual(unwrap(await folder.tracker.issuesByIds(['one'], soon())), []);
});

test('of two files with one id or identifier the later is malformed, and both are named', async () => {
  await using folder = new FolderOfIssues({
    'a.md': todo('id: one\nidentifier: A-1\n'),
    'b.md': todo('id: one\nidentifier: A-2\n'),
    'c.md': todo('id: three\nidentifier: A-1\n'),
    'd.md': todo('id: three\nidentifier: A-4\n'),
  });
  const answer = await folder.tracker.issuesByStates(['Todo'], soon());
  assert.ok(answer.ok);
  assert.deepEqual(
    answer.value.map(({identifier}) => identifier),
    ['A-1', 'A-4'],
  );
  const [byId = '', byIdentifier = ''] = answer.warnings[0]?.examples ?? [];
  assert.match(byId, /b\.md: the id "one" is already used by .*a\.md/);
  assert.match(byIdentifier, /c\.md: the identifier "A-1" is already used by .*a\.md/);
  unwrap(await folder.tracker.transition(await folder.issue('one'), 'Done', soon()));
  assert.match(folder.read('a.md'), /state: Done/);
  assert.match(folder.read('b.md'), /state: Todo/);
  const three = await folder.issue('three');
  unwrap(await folder.tracker.transition(three, 'Done', soon()));
  assert.match(folder.read('d.md'), /state: Done/);
  assert.match(folder.read('c.md'), /state: Todo/);
});

test('blockers have the states of their files; unknown and unreadable ones have none', async () => {
  await using folder = new FolderOfIssues({
    'A-1.md': todo('blocked_by: [A-2, A-3, A-4, {}]\n'),
    'A-2.md': '---\nid: two\ntitle: T\nstate: Done\n---\n',
    'A-3.md': 'broken',
  });
  assert.deepEqual((await folder.issue('A-1')).blocked_by, [
    {id: 'two', identifier: 'A-2', state: 'Done'},
    {id: null, identifier: 'A-3', state: null},
    {id: null, identifier: 'A-4', state: null},
    {id: null, identifier: null, state: null},
  ]);
});

test('only Markdown files directly in the folder are issues', async () => {
  await using folder = new FolderOfIssues({
    'A-1.md': todo(),
    '.A-2.md': todo(),
    'A-3.txt': todo(),
    'A-4.md.swp': todo(),
  });
  await using outside = new FolderOfIssues({'A-9.md': todo()});
  mkdirSync(folder.at('A-5.md'));
  mkdirSync(folder.at('archive'));
  folder.write('archive/A-6.md', todo());
  symlinkSync(folder.at('archive/A-6.md'), folder.at('A-7.md'));
  symlinkSync(outside.at('A-9.md'), folder.at('A-8.md'));
  symlinkSync('nowhere', folder.at('A-9.md'));
  const answer = await folder.tracker.issuesByStates(['Todo'], soon());
  assert.ok(answer.ok);
  assert.deepEqual(
    answer.value.map(({identifier}) => identifier),
    ['A-1', 'A-7'],
  );
  const [warning] = answer.warnings;
  assert.equal(warning?.count, 2);
  assert.match(warning?.examples[0] ?? '', /A-8\.md: is a link out of the folder/);
  assert.match(warning?.examples[1] ?? '', /A-9\.md: is a broken link/);
});

test('a file that may not be read is malformed', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may read everything');
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  chmodSync(folder.at('A-1.md'), 0);
  const answer = await folder.tracker.issuesByIds(['A-1'], soon());
  assert.ok(!answer.ok && answer.failure.message.includes('cannot be read (EACCES)'));
});

test('a folder that is missing, or none, is a failure that says what to do', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  for (const path of [folder.at('absent'), folder.at('A-1.md')]) {
    await using tracker = new FileTracker(path);
    const answer = await tracker.issuesByStates(['Todo'], soon());
    assert.ok(!answer.ok);
    assert.equal(answer.failure.code, 'tracker_request');
    assert.ok(answer.failure.message.includes(path));
    assert.match(answer.failure.message, /create it, or set tracker\.provider\.path/);
    assert.deepEqual(await tracker.issuesByIds([], soon()), {ok: true, value: [], warnings: []});
  }
});

test('an edit of a file that was long at rest is seen, even if it hides its time', async (t) => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const sometime = new Date('2024-01-01T00:00:00Z');
  utimesSync(folder.at('A-1.md'), sometime, sometime);
  t.mock.timers.enable({apis: ['Date'], now: Date.now() + 3_600_000});
  assert.equal((await folder.issue('A-1')).state, 'Todo');
  assert.equal((await folder.issue('A-1')).state, 'Todo');
  folder.write('new', todo().replace('Todo', 'Done'));
  utimesSync(folder.at('new'), sometime, sometime);
  renameSync(folder.at('new'), folder.at('A-1.md'));
  assert.equal((await folder.issue('A-1')).state, 'Done');
});

test('an issue keeps its age when its file is replaced', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const before = await folder.issue('A-1');
  unwrap(await folder.tracker.transition(before, 'Done', soon()));
  const after = await folder.issue('A-1');
  assert.equal(after.created_at, before.created_at);
  assert.ok((after.updated_at ?? '') >= (before.updated_at ?? ''));
});

test('two thousand files are two thousand issues, again and again', async () => {
  const names = Array.from({length: 2_000}, (_, n) => `A-${String(n).padStart(4, '0')}`);
  await using folder = new FolderOfIssues(
    Object.fromEntries(names.map((name) => [`${name}.md`, todo()])),
  );
  const read = async () =>
    unwrap(await folder.tracker.issuesByStates(['Todo'], soon())).map(({id}) => id);
  assert.deepEqual(await read(), names);
  folder.write('A-1000.md', todo().replace('Todo', 'Done'));
  rmSync(folder.at('A-1001.md'));
  assert.deepEqual(
    await read(),
    names.filter((name) => name !== 'A-1000' && name !== 'A-1001'),
  );
});

test('a read ends when it is told to', async () => {
  await using tracker = new FileTracker(tmpdir());
  const answer = await tracker.issuesByStates(['Todo'], AbortSignal.abort(new Error('too late')));
  assert.ok(!answer.ok && answer.failure.code === 'tracker_request');
  assert.match(answer.failure.message, /too late/);
});
