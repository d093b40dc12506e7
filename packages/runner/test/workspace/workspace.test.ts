import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {chmod, mkdir, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {RunFailure} from '@symphony-supervisor/protocol';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {anIssue} from '../../../../test/rig/fixtures/issue.ts';
import {layOut, layOutRecorded} from '../../src/workspace/layout.ts';
import {prepareWorkspace} from '../../src/workspace/prepare.ts';
import {readRecord, writeRecord} from '../../src/workspace/record.ts';
import {removeWorkspace} from '../../src/workspace/remove.ts';
import {asOrdinaryUser} from './ordinary-user.ts';

async function failureOf(refused: Promise<unknown>): Promise<string> {
  try {
    await refused;
  } catch (error) {
    assert.ok(error instanceof RunFailure);
    return `${error.failure.code}: ${error.failure.message}`;
  }
  return 'none';
}

test('a root that cannot be a folder, or is not safe, is a failure that names it', async () => {
  await using folder = await aFolder();
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  const unusable = await failureOf(layOut(join(file, 'ws'), 'ABC-1'));
  assert.match(unusable, /^workspace_error: workspace root .*file\/ws cannot be used: ENOTDIR/);
  await symlink('/', join(folder.path, '.symphony'));
  const linked = await failureOf(layOut(folder.path, 'ABC-1'));
  assert.match(linked, /^invalid_workspace_cwd: .* is a symbolic link/);
  const ours = await failureOf(layOutRecorded(join(folder.path, '.symphony')));
  assert.match(ours, /^invalid_workspace_cwd: ".symphony" cannot be a workspace folder/);
});

test('a damaged record leaves the workspace to a person', async () => {
  await using folder = await aFolder();
  const layout = await layOut(folder.path, 'ABC-1');
  assert.equal(await readRecord(layout), null);
  const record = {issue_id: '1', identifier: 'ABC-1', created_at: 'then', git_dirs: null};
  await writeRecord(layout, record);
  assert.deepEqual(await readRecord(layout), record);
  await writeFile(layout.record, '{"issue_id":');
  const damaged = await failureOf(readRecord(layout));
  assert.match(damaged, /^workspace_conflict: .* is damaged, .*Move both away/);
});

test('folders that their owner may not write are removed all the same', async () => {
  await using folder = await aFolder();
  await chmod(folder.path, 0o777);
  await using _user = asOrdinaryUser();
  const layout = await layOut(join(folder.path, 'ws'), 'ABC-1');
  const deep = join(layout.path, 'module', 'deep');
  await mkdir(deep, {recursive: true});
  await writeFile(join(deep, 'file'), '');
  await chmod(deep, 0o500);
  await chmod(join(layout.path, 'module'), 0o500);
  await removeWorkspace(layout, unexpected);
  assert.equal(existsSync(layout.path), false);
});

function unexpected({reason}: {reason: string}): never {
  assert.fail(reason);
}

test('what we make is open to its owner alone; a root that was there stays as it is', async () => {
  await using folder = await aFolder();
  const mode = async (...names: string[]) =>
    ((await stat(join(folder.path, ...names))).mode & 0o777).toString(8);
  const layout = await layOut(join(folder.path, 'new', 'ws'), 'ABC-1');
  await prepareWorkspace(layout, anIssue({identifier: 'ABC-1'}), async () => {}, unexpected);
  for (const name of ['.', 'ABC-1', '.symphony', '.symphony/trash', '.symphony/tmp']) {
    assert.equal(await mode('new', 'ws', name), '700', name);
  }
  await mkdir(join(folder.path, 'old', '.symphony', 'tmp'), {recursive: true});
  for (const name of ['old', 'old/.symphony', 'old/.symphony/tmp']) {
    await chmod(join(folder.path, name), 0o755);
  }
  await layOut(join(folder.path, 'old'), 'ABC-1');
  assert.equal(await mode('old'), '755');
  assert.equal(await mode('old', '.symphony'), '700');
  assert.equal(await mode('old', '.symphony', 'tmp'), '700');
});
