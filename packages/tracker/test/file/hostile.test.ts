import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FolderOfIssues, soon, todo, unwrap} from './folder-of-issues.ts';

const MB = 1024 * 1024;
const lines = (count: number, line: (number: number) => string) =>
  Array.from({length: count}, (_, number) => `${line(number)}\n`).join('');
const inYaml = (text: string) => todo(`${text}\n`);
const inBody = (text: string) => `---\nstate: Todo\n---\n${text}\n`;

/**
 * Files that an agent or a pull request can put into the folder. Before there were bounds each of them took
 * the parser from ten seconds to hours, or ended the process.
 */
const REFUSED: readonly [name: string, content: string, why: RegExp][] = [
  ['keys', inYaml(lines(90_000, (n) => `k${n}: 1`)), /longer than 16 KB/],
  ['anchors', inYaml(lines(40_000, (n) => `k${n}: &a${n} 1`)), /longer than 16 KB/],
  ['depth', inYaml(`x: ${'['.repeat(900_000)}`), /longer than 16 KB/],
  ['short-keys', inYaml(lines(3_000, (n) => `k${n}:`).slice(0, 15_000)), /more than 200 keys/],
  ['short-aliases', inYaml(`a: &a 1\nlabels: [${'*a, '.repeat(4_000)}]`), /more than 100 aliases/],
  ['short-brackets', inYaml(`x: ${'['.repeat(16_000)}`), /nested too deeply/],
  ['short-maps', inYaml(`x: ${'{a: '.repeat(4_000)}`), /nested too deeply/],
  ['short-lists', inYaml(`x:\n  ${'- '.repeat(8_000)}`), /nested too deeply/],
  ['short-questions', inYaml('? '.repeat(8_000)), /nested too deeply/],
];

const READ: readonly [name: string, content: string][] = [
  ['heading-of-blanks', inBody(`# a${' '.repeat(MB - 1_000)}b`)],
  ['heading-of-hashes', inBody(`# a${' #'.repeat(MB / 2 - 1_000)}b`)],
  ['heading-broken', inBody(`# T\n#${' '.repeat(MB - 1_000)}\u2028`)],
  ['fence-broken', inBody(`# T\n${'~'.repeat(MB - 1_000)}\u2028`)],
];

test('hostile files are named or read at once, and hide no other', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  for (const [name, content] of [...REFUSED, ...READ]) folder.write(`${name}.md`, content);

  const answer = await folder.tracker.issuesByStates(['Todo'], AbortSignal.timeout(30_000));
  assert.ok(answer.ok, answer.ok ? '' : answer.failure.message);
  assert.deepEqual(
    answer.value.map(({id}) => id),
    ['A-1', ...READ.map(([name]) => name)].sort(),
  );
  assert.equal(answer.warnings[0]?.count, REFUSED.length);
  for (const [name, , why] of REFUSED) {
    const itself = await folder.tracker.issuesByIds([name], soon());
    assert.ok(!itself.ok, name);
    assert.match(itself.failure.message, new RegExp(`/${name}\\.md:\\d+: .*${why.source}`));
  }
});

test('what is within the bounds is read', async () => {
  await using folder = new FolderOfIssues({
    'A-1.md': inYaml(lines(150, (n) => `k${n}: ${'x'.repeat(80)}`)),
    'A-2.md': inYaml(`a: &a one\nb: &a two\nlabels: [${'*a, '.repeat(99)}]`),
    'A-3.md': inYaml(`x: ${'['.repeat(15)}${']'.repeat(15)}`),
    'A-4.md': todo('', 'x'.repeat(MB - 100)),
    'A-5.md': inYaml('assignee: *nobody'),
  });
  const read = unwrap(await folder.tracker.issuesByStates(['Todo'], soon()));
  assert.deepEqual(
    read.map(({id, labels, assignee_id}) => [id, labels, assignee_id]),
    [
      ['A-1', [], null],
      ['A-2', ['two'], null],
      ['A-3', [], null],
      ['A-4', [], null],
      ['A-5', [], null],
    ],
  );
});
