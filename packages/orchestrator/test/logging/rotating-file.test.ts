import assert from 'node:assert/strict';
import {closeSync, openSync} from 'node:fs';
import {mkdir, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {PassThrough, Writable} from 'node:stream';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {openLog} from '../../src/logging/open-log.ts';
import {Output} from '../../src/logging/output.ts';
import {type FileTrouble, RotatingFile} from '../../src/logging/rotating-file.ts';

test('a file that is full is moved on, and only so many are kept', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'logs/a.log');
  using file = new RotatingFile({path, maxBytes: 10, keep: 2});
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
    file.write(`${word}\n`);
  assert.deepEqual((await readdir(join(folder.path, 'logs'))).toSorted(), [
    ...['a.log', 'a.log.1', 'a.log.2'],
  ]);
  assert.equal(await readFile(path, 'utf8'), 'six\nseven\n');
  assert.equal(await readFile(`${path}.1`, 'utf8'), 'four\nfive\n');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('what was there before is written on', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'a.log');
  await writeFile(path, 'before\n');
  using file = new RotatingFile({path});
  file.write('after\n');
  assert.equal(await readFile(path, 'utf8'), 'before\nafter\n');
});

test('a disk that takes nothing: lines are dropped and counted, told once; later it goes on', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'logs/a.log');
  // A file where the folder should be: every attempt to open fails, for root as well.
  await writeFile(join(folder.path, 'logs'), '');
  const troubles: FileTrouble[] = [];
  let now = 0;
  using file = new RotatingFile({path, now: () => now, onTrouble: (told) => troubles.push(told)});
  for (let line = 0; line < 1000; line++) file.write('lost\n');
  now += 1000;
  file.write('tried, and lost\n');
  assert.equal(file.dropped, 1001);
  assert.deepEqual(
    troubles.map(({is}) => is),
    ['failing'],
  );
  await rm(join(folder.path, 'logs'));
  file.write('still waiting\n');
  now += 1000;
  file.write('found\n');
  assert.deepEqual(troubles.at(-1), {is: 'working-again', dropped: 1002});
  assert.equal(await readFile(path, 'utf8'), 'found\n');
});

test('a log that cannot be written is told on stdout, and the other way round', async () => {
  await using folder = await aFolder();
  await mkdir(join(folder.path, 'logs/supervisor.log'), {recursive: true});
  const stdout = new PassThrough();
  using opened = await openLog({...LOG, logsRoot: join(folder.path, 'logs'), stdout});
  opened.log('info', {event: 'x'}, 'hello');
  const said = String(stdout.read());
  assert.match(said, /"msg":"hello"/);
  assert.match(said, /"event":"log.failing".*EISDIR/);

  const closed = new Writable({write: (_chunk, _encoding, done) => done(new Error('EPIPE'))});
  using other = await openLog({...LOG, logsRoot: join(folder.path, 'other'), stdout: closed});
  other.log('info', {}, 'first');
  await new Promise((resolve) => closed.once('close', resolve));
  other.log('info', {}, 'second');
  const written = await readFile(other.path, 'utf8');
  assert.match(
    written,
    /"msg":"first"[\s\S]*"reason":"EPIPE","msg":"stdout cannot be written"[\s\S]*second/,
  );
});

test('a reader that does not read: lines are dropped rather than kept', () => {
  const never = new Writable({highWaterMark: 1, write: () => {}});
  const output = new Output(never);
  const line = `${'x'.repeat(100_000)}\n`;
  for (let count = 0; count < 100; count++) output.write(line);
  assert.ok(output.dropped >= 85, `only ${output.dropped} of 100 were dropped`);
  assert.ok(never.writableLength < 1_300_000);
});

test('levels below the one asked for are not written; secrets never are', async () => {
  await using folder = await aFolder();
  const stdout = new PassThrough();
  const secrets = ['hunter2hunter2'];
  using opened = await openLog({...LOG, logsRoot: folder.path, stdout, level: 'warn', secrets});
  opened.log('info', {}, 'too quiet');
  opened.log('error', {reason: 'key hunter2hunter2 and ghp_abcdefghij0123456789'}, 'refused');
  for (const text of [String(stdout.read()), await readFile(opened.path, 'utf8')]) {
    assert.doesNotMatch(text, /too quiet|hunter2|abcdefghij/);
    const line = JSON.parse(text);
    assert.equal(line.reason, 'key *** and ghp_***');
    assert.equal(line.level, 'error');
    assert.ok(Date.parse(line.time) > 0);
  }
});

test('for people: one readable line, and nothing in it that moves their cursor', async () => {
  await using folder = await aFolder();
  const stdout = new PassThrough();
  using opened = await openLog({...LOG, logsRoot: folder.path, stdout, style: 'pretty'});
  opened.log('warn', {issue_identifier: 'T-1', reason: 'a\u001b[2Jb\nc'}, 'claim.held');
  const said = String(stdout.read());
  assert.match(said, /^\[\d\d:\d\d:\d\d\] WARN: claim\.held \{"issue_identifier":"T-1"/);
  assert.equal(said.trimEnd().includes('\n'), false);
  assert.equal(said.includes('\u001b'), false);
});

test('a full disk drops lines, and nothing else happens', async (t) => {
  if (process.platform !== 'linux') return t.skip('/dev/full is Linux');
  const full = openSync('/dev/full', 'a');
  closeSync(full);
  const troubles: FileTrouble[] = [];
  using file = new RotatingFile({path: '/dev/full', onTrouble: (told) => troubles.push(told)});
  file.write('no room\n');
  assert.match(JSON.stringify(troubles), /ENOSPC/);
  assert.equal(file.dropped, 1);
});

const LOG = {level: 'info', style: 'json', color: false, secrets: []} as const;
