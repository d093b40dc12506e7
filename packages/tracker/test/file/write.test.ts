import assert from 'node:assert/strict';
import {chmodSync, readdirSync, statSync, symlinkSync, utimesSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {parse} from 'yaml';
import {FileTracker} from '../../src/file/adapter.ts';
import {editedText} from '../../src/file/text/edit.ts';
import {isFlaw, readFrontMatter} from '../../src/file/text/front-matter.ts';
import {FolderOfIssues, soon, todo, unwrap} from './folder-of-issues.ts';

/** A file's content after its issue was moved to another state. */
async function moved(content: string, state: string): Promise<string> {
  await using folder = new FolderOfIssues({'A-1.md': content});
  const done = unwrap(await folder.tracker.transition(await folder.issue('A-1'), state, soon()));
  assert.equal(done.outcome, 'written');
  assert.equal((await folder.issue('A-1')).state, state);
  return folder.read('A-1.md');
}

async function labelled(content: string, labels: string[]): Promise<string> {
  await using folder = new FolderOfIssues({'A-1.md': content});
  const issue = await folder.issue('A-1');
  const {success} = await folder.tracker.callTool(issue, 'update_issue', {labels}, soon());
  assert.ok(success);
  assert.deepEqual((await folder.issue('A-1')).labels, labels);
  return folder.read('A-1.md');
}

async function commented(content: string, ...comments: string[]): Promise<string> {
  await using folder = new FolderOfIssues({'A-1.md': content});
  for (const comment of comments) {
    unwrap(await folder.tracker.comment(await folder.issue('A-1'), comment, soon()));
  }
  return folder.read('A-1.md').replace(/### \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '### <time>');
}

test('a state is replaced in the form it had', async () => {
  const rows: [before: string, state: string, after: string][] = [
    ['state: Todo', 'Done', 'state: Done'],
    ['state:   Todo   # now', 'In Progress', 'state:   In Progress   # now'],
    ["state: 'Todo'", "Won't do", "state: 'Won''t do'"],
    ['state: "Todo"', 'Done', 'state: "Done"'],
    ['state: Todo', 'yes: #1', 'state: "yes: #1"'],
    ['state: Todo', 'true', 'state: "true"'],
    ['state: Todo', '7', 'state: "7"'],
    ['state: |\n  Todo', 'Done', 'state: Done'],
    ['state: To\n  do', 'Done', 'state: Done'],
    ['"state": Todo', 'Done', '"state": Done'],
    ['state: &s Todo\nsame: *s', 'Done', 'state: &s Done\nsame: *s'],
    ['first: &s Todo\nstate: *s', 'Done', 'first: &s Todo\nstate: Done'],
    ['state: !!str Todo', 'Done', 'state: !!str Done'],
  ];
  for (const [before, state, after] of rows) {
    const file = (lines: string) => `---\ntitle: T\n${lines}\nlast: 1\n---\nbody\n`;
    assert.equal(await moved(file(before), state), file(after));
  }
  const flow = await moved('---\n{title: T, state: Todo, x: [1]}\n---\n', 'a, b');
  assert.equal(flow, '---\n{title: T, state: "a, b", x: [1]}\n---\n');
});

test('labels are replaced in the form they had, and nothing around them', async () => {
  const rows: [before: string, labels: string[], after: string][] = [
    ['labels: [Bug, ui] # x', ['bug', 'new'], 'labels: [Bug, new] # x'],
    ['labels:\n  - Bug\n  - ui\n# x', ['bug', 'a: b'], 'labels:\n  - Bug\n  - "a: b"\n# x'],
    ['labels:\n- a\n- b', ['b', 'c'], 'labels:\n- b\n- c'],
    ['labels:\n- a', [], 'labels:\n []'],
    ['labels: []', ['a'], 'labels: [a]'],
    ['labels:', ['a'], 'labels: [a]'],
    ['labels: # none', ['a'], 'labels: [a] # none'],
    ['labels: Bug, ui', ['bug'], 'labels: [Bug]'],
    ['labels: ~', ['a'], 'labels: [a]'],
  ];
  for (const [before, labels, after] of rows) {
    const file = (lines: string) => `---\nstate: Todo\n${lines}\ntitle: T\n---\nbody\n`;
    assert.equal(await labelled(file(before), labels), file(after));
  }
  const added = await labelled('---\r\n  state: Todo\r\n  title: T\r\n  # end\r\n---\r\n', ['a']);
  assert.equal(added, '---\r\n  state: Todo\r\n  title: T\r\n  # end\r\n  labels: [a]\r\n---\r\n');
});

test('what cannot be edited without changing more is refused, and stays', async () => {
  const rows: [content: string, args: Record<string, unknown>][] = [
    ['---\n{title: T, state: Todo}\n---\n', {state: 'Done', labels: ['a']}],
    ['---\nstate: &s Todo\ntitle: *s\n---\n', {state: 'Done'}],
  ];
  for (const [content, args] of rows) {
    await using folder = new FolderOfIssues({'A-1.md': content});
    const issue = await folder.issue('A-1');
    const result = await folder.tracker.callTool(issue, 'update_issue', args, soon());
    assert.deepEqual([result.success, result.wrote], [false, false]);
    assert.match(JSON.stringify(result.content), /A-1\.md: .*edit it by hand/);
    assert.equal(folder.read('A-1.md'), content);
  }
});

test('a comment goes to the end of its section, which is made where it is missing', async () => {
  const rows: [body: string, expected: string][] = [
    ['', '\n## Comments\n\n### <time>\n\nHi\n'],
    ['Text', 'Text\n\n## Comments\n\n### <time>\n\nHi\n'],
    ['Text  \n\n', 'Text  \n\n## Comments\n\n### <time>\n\nHi\n'],
    ['## comments ##\nold\n', '## comments ##\nold\n\n### <time>\n\nHi\n'],
    ['## Comments\n\n## Notes\nx\n', '## Comments\n\n### <time>\n\nHi\n\n## Notes\nx\n'],
    ['```\n## Comments\n```\n', '```\n## Comments\n```\n\n## Comments\n\n### <time>\n\nHi\n'],
    ['A\r\n', 'A\r\n\r\n## Comments\r\n\r\n### <time>\r\n\r\nHi\r\n'],
  ];
  for (const [body, expected] of rows) {
    const front = body.includes('\r') ? todo('', '').replaceAll('\n', '\r\n') : todo('', '');
    assert.equal(await commented(front + body, ' Hi\n'), front + expected);
  }
});

test('no comment breaks out of its entry', async () => {
  const first = '# Plan\r\n```sh\n# code\n```\n#### Deep\n~~~\nnever closed';
  assert.equal(
    await commented(todo('', ''), first, 'second'),
    `${todo('', '')}
## Comments

### <time>

#### Plan
\`\`\`sh
# code
\`\`\`
###### Deep
~~~
never closed
~~~

### <time>

second
`,
  );
});

test('a comment changes nothing that an agent is told to do', async () => {
  for (const body of ['Do it.', '', 'Do it.\n\n## Comments\nx\n\n## Notes\ny\n']) {
    await using folder = new FolderOfIssues({'A-1.md': todo('', body)});
    const before = await folder.issue('A-1');
    for (const comment of ['# Plan', '## Comments\nagain', '```\nopen']) {
      unwrap(await folder.tracker.comment(before, comment, soon()));
      assert.equal((await folder.issue('A-1')).description, before.description);
    }
  }
});

test('a code block that somebody left open is closed before the comments', async () => {
  assert.equal(
    await commented(todo('', '~~~sh\nmake'), 'One', 'Two'),
    `${todo('', '~~~sh\nmake\n~~~\n')}
## Comments

### <time>

One

### <time>

Two
`,
  );
});

test('a comment that would make the file unreadable is refused', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo('', 'x'.repeat(1024 * 1024 - 100))});
  const answer = await folder.tracker.comment(await folder.issue('A-1'), 'y'.repeat(200), soon());
  assert.ok(!answer.ok);
  assert.match(answer.failure.message, /longer than 1 MB/);
});

/** Front matter as people write it, in pieces whose join is valid whatever the order. */
const lineArbitrary = fc.oneof(
  fc.constantFrom('', '# a comment', '   # state: Done', '#', '# ünïcödé ✓ 𝄞'),
  fc
    .tuple(
      fc.constantFrom('', '"', "'"),
      fc.constantFrom('text', 'with blank', 'ümlaut ✓', '12', 'state'),
      fc.constantFrom('', ' ', '  # state: Todo', ' # "quoted"'),
    )
    .map(([quote, text, tail]) => `: ${quote}${text}${quote}${tail}`),
  fc.constantFrom(
    ': [a, "b: c", {d: e}] ',
    ':\n  - one # first\n  -   two',
    ': |\n  state: Done\n   indented\n',
    ': >-\n  folded\n  text',
    ':\n  state: Nested\n  deeper: {x: 1}',
    ':',
  ),
);
const fileArbitrary = fc.record({
  before: fc.array(lineArbitrary, {maxLength: 5}),
  after: fc.array(lineArbitrary, {maxLength: 5}),
  quote: fc.constantFrom('', '"', "'"),
  gap: fc.constantFrom(' ', '   '),
  tail: fc.constantFrom('', '  ', ' # why', '\t# state: x'),
  fence: fc.constantFrom('---', '---  ', '---\t'),
  body: fc.array(fc.constantFrom('text', '', '---', 'state: Todo', '# Heading', ' end  ')),
  eol: fc.constantFrom('\n', '\r\n'),
  bom: fc.constantFrom('', '\uFEFF'),
  target: fc.constantFrom('Done', 'In Review', "Won't", 'a: b', '#1', '"x"', 'ünklar', '7', 'no'),
});

test('after a transition only the bytes of the state differ', () => {
  fc.assert(
    fc.property(fileArbitrary, (parts) => {
      const named = (side: string) => (line: string, index: number) =>
        line.startsWith(':') ? `${side}${index}${line}` : line;
      const withEnds = (...lines: string[]) => lines.join('\n').replaceAll('\n', parts.eol);
      const start = withEnds(
        `${parts.bom}${parts.fence}`,
        'title: T',
        ...parts.before.map(named('before')),
        `state:${parts.gap}`,
      );
      const end = withEnds(
        parts.tail,
        ...parts.after.map(named('after')),
        parts.fence,
        ...parts.body,
      );
      const front = readFrontMatter(`${start}${parts.quote}Todo${parts.quote}${end}`);
      assert.ok(!isFlaw(front), JSON.stringify(front));
      const edited = editedText(front, {state: parts.target}, new Date());
      assert.equal(edited.slice(0, start.length), start);
      assert.equal(edited.slice(-end.length), end);
      const written = edited.slice(start.length, -end.length);
      assert.equal(parse(written), parts.target);
      if (parts.quote !== '') assert.equal(written[0], parts.quote);
    }),
    {numRuns: 2_000},
  );
});

test('a file keeps its permissions, and no temporary file stays behind', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  chmodSync(folder.at('A-1.md'), 0o604);
  unwrap(await folder.tracker.transition(await folder.issue('A-1'), 'Done', soon()));
  assert.equal(statSync(folder.at('A-1.md')).mode & 0o777, 0o604);
  assert.deepEqual(readdirSync(folder.path), ['A-1.md']);
});

test('a link inside the folder stays a link', async () => {
  await using folder = new FolderOfIssues({'.real': todo()});
  symlinkSync('.real', folder.at('A-1.md'));
  unwrap(await folder.tracker.transition(await folder.issue('A-1'), 'Done', soon()));
  assert.match(folder.read('.real'), /state: Done/);
});

test('temporary files of a dead process are removed; young ones may be in use', async () => {
  await using folder = new FolderOfIssues({
    'A-1.md': todo(),
    '.symphony-0123456789ab.tmp': '',
    '.symphony-ba9876543210.tmp': '',
    '.mine.tmp': '',
  });
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of ['.symphony-0123456789ab.tmp', '.mine.tmp']) {
    utimesSync(folder.at(name), longAgo, longAgo);
  }
  await new FileTracker(folder.path)[Symbol.asyncDispose]();
  assert.deepEqual(readdirSync(folder.path).sort(), [
    '.mine.tmp',
    '.symphony-ba9876543210.tmp',
    'A-1.md',
  ]);
});
