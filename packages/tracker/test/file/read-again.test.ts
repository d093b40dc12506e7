import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {test} from 'node:test';
import {type FolderView, IssueFolder} from '../../src/file/folder.ts';
import {type FileRecord, isAtRest, readRecord} from '../../src/file/record.ts';
import {FolderOfIssues, soon, todo} from './folder-of-issues.ts';

test('a file is only read again if it changed, or might have within one tick of the clock', async (t) => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const read = (last?: FileRecord) => readRecord(folder.path, 'A-1.md', last);
  const {mtimeMs} = statSync(folder.at('A-1.md'));
  t.mock.timers.enable({apis: ['Date'], now: Math.ceil(mtimeMs) + 1});
  const fresh = await read();
  assert.ok(fresh !== null);
  assert.notEqual(await read(fresh), fresh);
  t.mock.timers.tick(3_600_000);
  const atRest = await read(fresh);
  assert.ok(atRest !== null);
  assert.equal(await read(atRest), atRest);
});

test('a clock that tells fractions of a second ticks often, any other perhaps every two seconds', () => {
  const changed = (ms: number) => ({
    mtimeNs: BigInt(ms) * 1_000_000n,
    ctimeNs: BigInt(ms) * 1_000_000n,
  });
  assert.equal(isAtRest(changed(10_004), 10_100), false);
  assert.equal(isAtRest(changed(10_004), 10_105), true);
  assert.equal(isAtRest(changed(10_000), 12_000), false);
  assert.equal(isAtRest(changed(10_000), 12_001), true);
  const touchedBack = {...changed(10_004), mtimeNs: 0n};
  assert.equal(isAtRest(touchedBack, 10_100), false);
});

test('whoever asks during a read shares the next one, which sees what was there when it asked', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const issues = new IssueFolder(folder.path);
  const states = async (view: Promise<FolderView>) => (await view).issues.map(({state}) => state);
  const first = issues.read(soon());
  await Promise.resolve();
  folder.write('A-1.md', todo().replace('Todo', 'Done'));
  const [second, third] = [issues.read(soon()), issues.read(soon())];
  await first;
  assert.deepEqual(await states(second), ['Done']);
  assert.equal(await second, await third);
});

test('whoever gave up during a shared read is told so, and nobody else', async () => {
  await using folder = new FolderOfIssues({'A-1.md': todo()});
  const issues = new IssueFolder(folder.path);
  const given = new AbortController();
  const mine = issues.read(given.signal);
  const others = issues.read(soon());
  given.abort(new Error('too late'));
  await assert.rejects(mine, /too late/);
  assert.equal((await others).issues.length, 1);
});
