import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, chown, mkdir, readdir, rm, symlink, utimes, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {type Layout, layOut} from '../../src/workspace/layout.ts';
import {removeWorkspace} from '../../src/workspace/remove.ts';
import type {StuckTrash} from '../../src/workspace/trash.ts';
import {asOrdinaryUser, ORDINARY_USER} from './ordinary-user.ts';

const IS_ROOT = process.geteuid?.() === 0;

async function aWorkspace(root: string, identifier: string): Promise<Layout> {
  const layout = await layOut(root, identifier);
  await mkdir(layout.path);
  return layout;
}

test('folders deeper than a path may be long are deleted', async () => {
  await using folder = await aFolder();
  const layout = await aWorkspace(folder.path, 'DEEP');
  const name = 'd'.repeat(100);
  const script = 'for i in $(seq 60); do mkdir "$0" && cd -P "$0"; done; chmod 500 .';
  execFileSync('sh', ['-c', script, name], {cwd: layout.path});
  const told: StuckTrash[] = [];
  await removeWorkspace(layout, (stuck) => told.push(stuck));
  assert.deepEqual(told, []);
  assert.equal(existsSync(layout.path), false);
  assert.deepEqual(await readdir(layout.trash), []);
});

test("what cannot be deleted is told once, and is no other issue's failure", {
  skip: IS_ROOT ? false : 'only root can make folders of another user',
}, async () => {
  await using folder = await aFolder();
  await chmod(folder.path, 0o777);
  const root = join(folder.path, 'ws');
  const told: StuckTrash[] = [];
  const removes = async (identifier: string) => {
    await using _user = asOrdinaryUser();
    await removeWorkspace(await layOut(root, identifier), (stuck) => told.push(stuck));
  };
  {
    await using _user = asOrdinaryUser();
    await aWorkspace(root, 'DOCKER');
    for (const identifier of ['PLAIN', 'LATER']) await aWorkspace(root, identifier);
  }
  // As a container leaves it that writes into the workspace as root.
  const {path, trash} = await layOut(root, 'DOCKER');
  await mkdir(join(path, 'build'));
  await writeFile(join(path, 'build', 'out'), Buffer.alloc(100 * 1024));

  await removes('DOCKER');
  const [stuck] = told;
  assert.equal(existsSync(path), false);
  assert.equal(told.length, 1);
  assert.ok(stuck !== undefined);
  assert.match(basename(stuck.path), /^DOCKER-/);
  assert.match(stuck.reason, /build/);
  assert.ok((stuck.sizeKb ?? 0) >= 100);

  await removes('PLAIN');
  assert.equal(existsSync(join(root, 'PLAIN')), false);
  assert.equal(told.length, 1);

  // Even where it could be deleted by now, it is left alone for a day; then it goes without a word.
  for (const name of ['build', 'build/out']) {
    await chown(join(stuck.path, name), ORDINARY_USER, ORDINARY_USER);
  }
  await removes('LATER');
  assert.equal(existsSync(stuck.path), true);
  await utimes(`${stuck.path}.stuck`, 0, 0);
  await removes('LATER');
  assert.deepEqual(await readdir(trash), []);
  assert.equal(told.length, 1);
});

test('the mark of what a person has removed goes with the next cleaning', async () => {
  await using folder = await aFolder();
  const layout = await aWorkspace(folder.path, 'ABC-1');
  await writeFile(join(layout.trash, 'GONE-1.stuck'), '');
  await removeWorkspace(layout, () => assert.fail('nothing is stuck'));
  assert.deepEqual(await readdir(layout.trash), []);
});

test('a link in the place of one of our folders is refused, and nothing behind it is touched', async (t) => {
  for (const name of ['owners', 'locks', 'half-made', 'trash', 'tmp']) {
    await t.test(name, async () => {
      await using folder = await aFolder();
      const victim = join(folder.path, 'victim');
      await mkdir(join(victim, 'precious'), {recursive: true});
      const root = join(folder.path, 'ws');
      const layout = await aWorkspace(root, 'ABC-1');
      await rm(join(root, '.symphony', name), {recursive: true});
      await symlink(victim, join(root, '.symphony', name));
      const refused = /\.symphony\/.* is a symbolic link; remove it/;
      await assert.rejects(layOut(root, 'ABC-1'), refused);
      // Also when it came after the layout was made sure of, as from a hook.
      if (name === 'trash')
        await assert.rejects(
          removeWorkspace(layout, () => {}),
          refused,
        );
      assert.deepEqual(await readdir(victim), ['precious']);
    });
  }
});
