import assert from 'node:assert/strict';
import fs, {mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import {test} from 'node:test';
import {FileTracker} from '../../src/file/adapter.ts';
import {FolderWatch} from '../../src/file/watch.ts';
import {FolderOfIssues, todo} from './folder-of-issues.ts';

/** Counts what it is told, and lets a test wait for the next time. */
class Listener {
  count = 0;
  #wake = () => {};

  readonly hear = () => {
    this.count++;
    this.#wake();
  };

  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      // A watch does not keep a process alive; a test that waits for one must.
      const alive = setInterval(() => {}, 1_000);
      this.#wake = () => {
        clearInterval(alive);
        resolve();
      };
    });
  }
}

const LIMIT = {timeout: 20_000};

test('an edit, a new file, a rename and a removal are told', LIMIT, async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const listener = new Listener();
  await using _watch = folder.tracker.watch(listener.hear);
  const acts = [
    () => folder.write('A-1.md', todo('priority: 1\n')),
    () => folder.write('A-2.md', todo()),
    () => renameSync(folder.at('A-2.md'), folder.at('A-3.md')),
    () => rmSync(folder.at('A-3.md')),
  ];
  for (const act of acts) {
    const told = listener.next();
    act();
    await told;
  }
});

test('changes that come together are told once', LIMIT, async () => {
  await using folder = new FolderOfIssues();
  await using later = new FolderOfIssues();
  const listener = new Listener();
  const afterwards = new Listener();
  await using _watch = folder.tracker.watch(listener.hear);
  await using _other = later.tracker.watch(afterwards.hear);
  const told = listener.next();
  for (let n = 0; n < 50; n++) folder.write(`A-${n}.md`, todo());
  await told;
  // Whatever else the fifty had to tell would have come before this.
  const done = afterwards.next();
  later.write('A-1.md', todo());
  await done;
  assert.equal(listener.count, 1);
});

test('of files that are no issues nothing is told', LIMIT, async () => {
  await using folder = new FolderOfIssues();
  await using later = new FolderOfIssues();
  const deaf = new Listener();
  const listener = new Listener();
  await using _watch = folder.tracker.watch(deaf.hear);
  await using _other = later.tracker.watch(listener.hear);
  const told = listener.next();
  for (const name of ['.hidden.md', '.symphony-0123456789ab.tmp', 'notes.txt'])
    folder.write(name, '');
  // Events come in the order of what they tell of, so silence until here is silence.
  later.write('A-1.md', todo());
  await told;
  assert.equal(deaf.count, 0);
});

test('a folder that goes away and comes back is still watched', LIMIT, async () => {
  await using parent = new FolderOfIssues();
  const path = parent.at('issues');
  mkdirSync(path);
  await using tracker = new FileTracker(path);
  const listener = new Listener();
  await using _watch = tracker.watch(listener.hear);
  for (let round = 0; round < 2; round++) {
    const gone = listener.next();
    rmSync(path, {recursive: true});
    await gone;
    const back = listener.next();
    mkdirSync(path);
    await back;
    const edited = listener.next();
    writeFileSync(join(path, 'A-1.md'), todo());
    await edited;
  }
});

test('a folder may appear after its watch', LIMIT, async () => {
  await using parent = new FolderOfIssues();
  const listener = new Listener();
  await using _watch = new FolderWatch(parent.at('issues'), listener.hear);
  const appeared = listener.next();
  mkdirSync(parent.at('issues'));
  await appeared;
});

test('where the system has no watch to give, the files are compared', LIMIT, async (t) => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const refused = t.mock.method(fs, 'watch', () => {
    throw new Error('ENOSPC: System limit for number of file watchers reached');
  });
  syncBuiltinESMExports();
  const listener = new Listener();
  await using _watch = folder.tracker.watch(listener.hear);
  for (const lines of ['priority: 1\n', 'priority: 22\n']) {
    const told = listener.next();
    folder.write('A-1.md', todo(lines));
    await told;
  }
  refused.mock.restore();
  syncBuiltinESMExports();
});
