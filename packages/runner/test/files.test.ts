import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {constants, open, writeFile as writePlainly} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../test/rig/fixtures/folder.ts';
import {answered, DiskSilent, lstat, orNull, readRegularText} from '../src/processes/files.ts';

/** A write to a pipe that no process reads takes until one does: like any call to a disk that hangs. */
async function aHangingWrite(folder: string) {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const writing = writePlainly(path, 'text');
  return {
    path,
    writing,
    [Symbol.asyncDispose]: async () => {
      const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      await writing;
      await reader.close();
    },
  };
}

test('a call that the disk does not answer fails, and timers go on meanwhile', async () => {
  await using folder = await aFolder();
  await using hanging = await aHangingWrite(folder.path);
  let beats = 0;
  const heartbeat = setInterval(() => beats++, 1);
  const call = answered(hanging.path, hanging.writing, 100);
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof DiskSilent);
    assert.equal(error.failure.code, 'workspace_error');
    assert.match(error.message, /pipe: the disk did not respond within 0.1 s$/);
    return true;
  });
  clearInterval(heartbeat);
  assert.ok(beats > 0);
});

test('a silent disk is not taken for a missing file', async () => {
  await using folder = await aFolder();
  await using hanging = await aHangingWrite(folder.path);
  assert.equal(await orNull(lstat(join(folder.path, 'nothing'))), null);
  await assert.rejects(orNull(answered(hanging.path, hanging.writing, 10)), DiskSilent);
});

test('nothing but a regular file of ordinary size is read', async () => {
  await using folder = await aFolder();
  await using hanging = await aHangingWrite(folder.path);
  const file = join(folder.path, 'file');
  await writePlainly(file, 'text');
  assert.equal(await readRegularText(file), 'text');
  await assert.rejects(readRegularText(file, 3), /larger than 3 bytes/);
  for (const path of [hanging.path, folder.path, '/dev/zero']) {
    await assert.rejects(readRegularText(path), /not a regular file/);
  }
});
