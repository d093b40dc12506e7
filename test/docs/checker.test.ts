import assert from 'node:assert/strict';
import {test} from 'node:test';
import {BLOCK_KINDS} from './reader/block-kinds.ts';
import {anchorsOf, parsePage} from './reader/markdown.ts';
import {commandsIn} from './reader/shell.ts';

// Who watches the watchman: what is wrong on purpose must be found.

const WRONG: readonly [kind: string, text: string, said: RegExp][] = [
  ['yaml', 'agent:\n  max_turn: 3\n', /max_turn is not a known key; did you mean/],
  ['yaml', 'polling:\n  interval_ms: 0\n', /whole number from 1/],
  ['yaml', 'tracker:\n  kind: linear\n', /project_slug/],
  ['yaml', 'services:\n  web: {}\n', /what is it\?/],
  ['markdown', '# Only text\n', /neither/],
  ['markdown', '---\ntracker: {kind: file}\n---\n{{issue.titel}}\n', /titel/],
  ['markdown', '---\npriority: 1\n---\n# No state\n', /no active issue/],
  ['mustache', '{{#issue.labels}}\n', /line 1/],
  ['mustache', '{{ issue.title | upcase }}\n', /by liquid/],
  ['liquid', '{% if attempt %}{{ atempt }}{% endif %}\n', /atempt/],
  ['sh', 'npm run tset\n', /no npm script "tset"/],
  ['sh', 'cd x && symphony-runner T-1 --max-turn 3\n', /no option --max-turn/],
  ['sh', 'X=1 rm -rf /\n', /nobody checks the command "rm"/],
  ['sh', 'node scripts/nothing.mjs\n', /no file/],
  ['ini', '[Service]\nExecStart=/usr/bin/symphony-runner T-1 T-2\n', /what is "T-2"/],
  ['usage', 'symphony-runner [--workflow PATH] [--color]\n', /--color is not known/],
  ['ts', 'export const A = 1;\n', /names no file/],
  ['ts', '// scripts/nothing.ts\nexport const A = 1;\n', /names no file/],
  ['ts', '// test/docs/checker.test.ts\nexport const A = 2;\n', /does not hold/],
];

for (const [kind, text, said] of WRONG) {
  test(`${kind} that is wrong is found: ${JSON.stringify(text)}`, async () => {
    assert.match((await BLOCK_KINDS[kind]?.(text))?.join('\n') ?? '', said);
  });
}

test('a page is taken apart into blocks, words in code style, links and headings', () => {
  const text = [
    '# The `first` one',
    'See [a](b.md#c) and `[x](y)`, ``a`b``.',
    '- item',
    '  ````sh',
    '  echo ```',
    '  ````',
    '## The `first` one!',
  ].join('\n');
  const page = parsePage('p.md', text);
  assert.deepEqual(page.blocks, [
    {page: 'p.md', line: 4, kind: 'sh', text: 'echo ```\n', under: 'The `first` one'},
  ]);
  assert.deepEqual(
    page.spans.map((span) => span.text),
    ['first', '[x](y)', 'a`b', 'first'],
  );
  assert.deepEqual(page.links, [{page: 'p.md', line: 2, text: 'b.md#c'}]);
  assert.deepEqual([...anchorsOf(page)], ['the-first-one', 'the-first-one-1']);
});

test('a script is taken apart into commands', () => {
  const script = `export A=1 # not this
B=$(cat x) git clone "a b" \\
  --depth 1 2>/dev/null | jq '.c;d' && cd e
`;
  assert.deepEqual(commandsIn(script), [
    ['export', 'A=1'],
    ['git', 'clone', 'a b', '--depth', '1'],
    ['jq', '.c;d'],
    ['cd', 'e'],
  ]);
});
