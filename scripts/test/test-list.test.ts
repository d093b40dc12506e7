import assert from 'node:assert/strict';
import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {identify} from '@symphony-supervisor/protocol/processes';
import {ending} from '../../test/rig/ending.ts';
import {aFolder} from '../../test/rig/fixtures/folder.ts';
import {until} from '../../test/rig/survivors.ts';

const TEST_LIST = fileURLToPath(new URL('../test.mjs', import.meta.url));

interface Finished {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
  readonly lastLine: string;
}

function run(...args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [TEST_LIST, ...args], (_, output, errors) => {
      const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
      resolve({code: child.exitCode ?? -1, output, errors, lastLine});
    });
  });
}

async function aTestFile(folder: string, name: string, body: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `import {test, describe} from 'node:test';\n${body}\n`);
  return path;
}

test('failures and skipped tests are listed at the end, the counts alone on the last line', async () => {
  await using folder = await aFolder();
  const good = await aTestFile(folder.path, 'good.test.ts', `test('holds', () => {});`);
  const bad = await aTestFile(
    folder.path,
    'bad.test.ts',
    `describe('a group', () => {
       test('breaks', () => { console.log('a word'); throw new Error('it broke\\nbadly'); });
       test('waits', {skip: 'no such machine'}, () => {});
       test('holds', () => {});
     });`,
  );
  const {code, output, lastLine} = await run(good, bad);
  assert.equal(code, 1);
  assert.match(output, /^2 test files, 2 at a time\.$/m);
  assert.match(output, /^\[\d\/2\] ok {3}\S+good\.test\.ts {2}\(1 tests, /m);
  assert.match(output, /Printed by the file:\n {4}a word$/m);
  const [, end = ''] = output.split('\nSkipped:\n');
  assert.match(end, /^ {2}\S+bad\.test\.ts: a group > waits: no such machine$/m);
  assert.match(end, /^Failed:\n {2}\S+bad\.test\.ts: a group > breaks: Error: it broke$/m);
  assert.equal(lastLine, '2 passed, 1 failed, 1 skipped');
});

test('files that pass end with exit code 0', async () => {
  await using folder = await aFolder();
  const file = await aTestFile(folder.path, 'good.test.ts', `test('holds', () => {});`);
  const {code, lastLine} = await run(file);
  assert.deepEqual([code, lastLine], [0, '1 passed, 0 failed, 0 skipped']);
});

/** A test that waits for ever beside a child whose pid it writes down. */
async function aHungFile(folder: string): Promise<{file: string; childPid: () => Promise<number>}> {
  const pidFile = join(folder, 'pid');
  const file = await aTestFile(
    folder,
    'hung.test.ts',
    `import {spawn} from 'node:child_process';
     import {renameSync, writeFileSync} from 'node:fs';
     test('waits for ever', () => new Promise(() => {
       const child = spawn('sleep', ['1000'], {detached: true, stdio: 'inherit'});
       writeFileSync(${JSON.stringify(`${pidFile}.new`)}, String(child.pid));
       renameSync(${JSON.stringify(`${pidFile}.new`)}, ${JSON.stringify(pidFile)});
     }));`,
  );
  return {file, childPid: async () => Number(await readFile(pidFile, 'utf8'))};
}

test('a file that hangs is named with its test and killed with its children', async () => {
  await using folder = await aFolder();
  const {file, childPid} = await aHungFile(folder.path);
  const {code, output} = await run('--limit=10', file);
  assert.equal(code, 1);
  assert.match(output, /took longer than 10 s and was killed; it was at: waits for ever/);
  assert.equal(identify(await childPid()), null);
});

test('a run that is ended by a signal kills the files at work with their children', async () => {
  await using folder = await aFolder();
  const {file, childPid} = await aHungFile(folder.path);
  const list = spawn(process.execPath, [TEST_LIST, file], {stdio: 'ignore'});
  await using _end = ending(list);
  // Three processes of Node one after the other: on a busy machine that takes longer than most facts.
  const pid = await until(() => childPid().catch(() => null), 90_000);
  assert.ok(pid !== null, 'the file never started');
  list.kill('SIGTERM');
  assert.deepEqual(await once(list, 'exit'), [1, null]);
  assert.ok(await until(async () => (identify(pid) === null ? true : null)), 'its child lives on');
});

test('a file that leaves a process running fails, and the process is killed', {
  skip: process.platform === 'linux' ? false : 'reads /proc',
}, async () => {
  await using folder = await aFolder();
  const file = await aTestFile(
    folder.path,
    'leaving.test.ts',
    `import {spawn} from 'node:child_process';
       test('holds', () => spawn('sleep', ['1000'], {detached: true, stdio: 'ignore'}).unref());`,
  );
  const {code, output, lastLine} = await run(file);
  assert.equal(code, 1);
  const [, pid] = /left processes running: sleep \((\d+)\)/.exec(output) ?? [];
  assert.ok(pid !== undefined, output);
  assert.equal(identify(Number(pid)), null);
  assert.equal(lastLine, '1 passed, 1 failed, 0 skipped');
});

test('nothing to run, a file without tests and a file that cannot be loaded are failures', async () => {
  await using folder = await aFolder();
  const empty = await aTestFile(folder.path, 'empty.test.ts', '');
  const broken = await aTestFile(folder.path, 'broken.test.ts', `import './no-such-file.ts';`);
  const {code, output} = await run(empty, broken);
  assert.equal(code, 1);
  assert.match(output, /empty\.test\.ts: \(the file\): has no test that ran/);
  assert.match(
    output,
    /broken\.test\.ts: \(the file\): ended with exit code 1: Error: Cannot find module/,
  );
  const unknown = await run('--suite=no-such-suite');
  assert.equal(unknown.code, 1);
  assert.match(unknown.errors, /no suite is called no-such-suite; there are real, /);
});
