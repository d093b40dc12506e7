import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {test} from 'node:test';
import {type Decide, replaceFile} from '../../src/file/replace-file.ts';
import {FolderOfIssues, soon, todo, unwrap} from './folder-of-issues.ts';

/** Appends our line; on its first look, somebody else does something to the file meanwhile. */
function whileOthers(act: () => void): Decide<string> {
  let first = true;
  return (content) => {
    if (first) act();
    first = false;
    return {write: Buffer.concat([content, Buffer.from('ours\n')]), done: () => 'written'};
  };
}

const SAVES: [how: string, (path: string) => void][] = [
  ['in place', (path) => appendFileSync(path, 'theirs\n')],
  [
    'by renaming',
    (path) => {
      writeFileSync(`${path}~`, `${readFileSync(path)}theirs\n`);
      renameSync(`${path}~`, path);
    },
  ],
];

for (const [how, save] of SAVES) {
  test(`what a person saves ${how} between our read and our rename is not lost`, async () => {
    await using folder = new FolderOfIssues({file: 'old\n'});
    const path = folder.at('file');
    await replaceFile(
      path,
      whileOthers(() => save(path)),
      soon(),
    );
    assert.equal(folder.read('file'), 'old\ntheirs\nours\n');
  });
}

/** Opens the file now, and writes into it as soon as it has been replaced by another. */
function writeLate(path: string, text: string): void {
  const {ino} = statSync(path);
  const file = openSync(path, 'a');
  const look = () => {
    if (statSync(path).ino === ino) return void setImmediate(look);
    writeSync(file, text);
    closeSync(file);
  };
  look();
}

test('what a person writes into the file that we have just replaced is not lost', async () => {
  await using folder = new FolderOfIssues({file: 'old\n'});
  const path = folder.at('file');
  await replaceFile(
    path,
    whileOthers(() => writeLate(path, 'theirs\n')),
    soon(),
  );
  assert.equal(folder.read('file'), 'old\ntheirs\nours\n');
});

test('a late edit that leaves us nothing to do is put back', async () => {
  await using folder = new FolderOfIssues({file: 'old\n'});
  const path = folder.at('file');
  let looks = 0;
  const decide: Decide<string> = (content) => {
    if (content.includes('theirs')) return {leave: 'yielded'};
    if (looks++ === 0) writeLate(path, 'theirs\n');
    return {write: Buffer.from('ours\n'), done: () => 'written'};
  };
  assert.equal(await replaceFile(path, decide, soon()), 'yielded');
  assert.equal(folder.read('file'), 'old\ntheirs\n');
});

test('a file that never rests is left alone, with a failure', async () => {
  await using folder = new FolderOfIssues({file: ''});
  const decide: Decide<string> = () => {
    appendFileSync(folder.at('file'), 'theirs\n');
    return {write: Buffer.from('ours'), done: () => 'written'};
  };
  await assert.rejects(replaceFile(folder.at('file'), decide, soon()), /kept changing/);
  assert.match(folder.read('file'), /^(theirs\n)+$/);
  assert.deepEqual(readdirSync(folder.path), ['file']);
});

test('a transition yields to the state that a person chose, and says what it is', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const known = await folder.issue('A-1');
  folder.write('A-1.md', todo().replace('Todo', 'Cancelled'));
  const done = unwrap(await folder.tracker.transition(known, 'In Progress', soon()));
  assert.ok(done.outcome === 'conflict' && done.found?.state === 'Cancelled');
  assert.match(folder.read('A-1.md'), /state: Cancelled/);
});

test("an agent that moves its issue twice does not take its own change for a stranger's", async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const known = await folder.issue('A-1');
  for (const state of ['In Progress', 'Review', 'Done']) {
    const done = await folder.tracker.callTool(known, 'update_issue', {state}, soon());
    assert.equal(done.success, true);
  }
});

test('a transition by somebody who has not read what an agent did is a conflict', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const known = await folder.issue('A-1');
  await folder.tracker.callTool(known, 'update_issue', {state: 'Done'}, soon());
  const late = unwrap(await folder.tracker.transition(known, 'Review', soon()));
  assert.equal(late.outcome, 'conflict');
});

test('a transition keeps what a person changed elsewhere', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const known = await folder.issue('A-1');
  folder.write('A-1.md', todo('priority: 1\n', 'Please, now.\n'));
  unwrap(await folder.tracker.transition(known, 'Done', soon()));
  assert.equal(
    folder.read('A-1.md'),
    todo('priority: 1\n', 'Please, now.\n').replace('Todo', 'Done'),
  );
});

test('there is nothing to write where the state is right already, or the issue is gone', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const known = await folder.issue('A-1');
  const same = unwrap(await folder.tracker.transition(known, 'todo', soon()));
  assert.equal(same.outcome, 'unchanged');
  rmSync(folder.at('A-1.md'));
  const gone = unwrap(await folder.tracker.transition(known, 'Done', soon()));
  assert.deepEqual(gone, {outcome: 'conflict', found: null});
  assert.throws(() => folder.read('A-1.md'));
});

test('a file that can no longer be read is not written', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const known = await folder.issue('A-1');
  folder.write('A-1.md', '---\nbroken');
  const answer = await folder.tracker.transition(known, 'Done', soon());
  assert.ok(!answer.ok && answer.failure.code === 'tracker_response');
  assert.equal(folder.read('A-1.md'), '---\nbroken');
});

test('writes of our own that come together are all made', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const {tracker} = folder;
  const known = await folder.issue('A-1');
  const comments = Array.from({length: 10}, (_, n) => `comment ${n}`);
  await Promise.all([
    ...comments.map(async (text) => unwrap(await tracker.comment(known, text, soon()))),
    tracker.transition(known, 'Done', soon()),
  ]);
  assert.equal((await folder.issue('A-1')).state, 'Done');
  for (const text of comments) assert.ok(folder.read('A-1.md').includes(`\n${text}\n`));
});
