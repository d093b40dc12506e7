import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdir, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../../../../test/rig/fixtures/folder.ts';
import {anIssue} from '../../../../test/rig/fixtures/issue.ts';
import {EvidenceTaker} from '../../src/job/evidence.ts';
import {fingerprint} from '../../src/workspace/git/fingerprint.ts';
import {findGit} from '../../src/workspace/git/git-places.ts';
import {layOut} from '../../src/workspace/layout.ts';

const ENV = {PATH: process.env.PATH ?? '', HOME: '/nonexistent'};

async function aRepository(root: string) {
  const layout = await layOut(join(root, 'ws'), 'ABC-1');
  const workspace = layout.path;
  await mkdir(workspace);
  execFileSync('git', ['init', '-q', workspace], {env: ENV});
  await writeFile(join(workspace, 'file'), 'one');
  execFileSync('git', ['-C', workspace, 'add', 'file'], {env: ENV});
  const gitDir = join(workspace, '.git');
  const places = {writable: [], gitDir, commonDir: gitDir};
  const look = (limitMs?: number) => fingerprint(workspace, places, layout.tmp, ENV, limitMs);
  return {layout, workspace, look};
}

async function putPipe(path: string): Promise<void> {
  await rm(path, {force: true});
  execFileSync('mkfifo', [path]);
}

test('a pipe in the place of what we read from a repository is not opened', async (t) => {
  for (const name of ['commondir', 'index', 'info/exclude', 'config', 'HEAD']) {
    await t.test(name, async () => {
      await using folder = await aFolder();
      const {layout, workspace, look} = await aRepository(folder.path);
      await putPipe(join(workspace, '.git', name));
      const {gitDir} = await findGit(layout);
      assert.equal(gitDir, join(workspace, '.git'));
      const first = await look();
      assert.ok('digest' in first);
      await writeFile(join(workspace, 'fresh'), 'two');
      assert.notDeepEqual(await look(), first);
    });
  }
});

test('an index that is a link, or too large, is not copied', async () => {
  await using folder = await aFolder();
  const {workspace, look} = await aRepository(folder.path);
  const index = join(workspace, '.git', 'index');
  await truncate(index, 2 ** 40);
  assert.ok('digest' in (await look()));
  await rm(index);
  await symlink('/dev/zero', index);
  assert.ok('digest' in (await look()));
});

test('where git itself is blocked, the look ends at its deadline with a reason', async () => {
  await using folder = await aFolder();
  const {workspace, look} = await aRepository(folder.path);
  await putPipe(join(workspace, '.gitignore'));
  const problem = {problem: 'it took longer than 500 ms'};
  assert.deepEqual([await look(500), await look(500)], [problem, problem]);
});

test('a workspace that cannot be looked at for the same reason, before and after, is unchanged', async () => {
  await using folder = await aFolder();
  const {layout, workspace} = await aRepository(folder.path);
  await putPipe(join(workspace, '.gitignore'));
  const taker = () => new EvidenceTaker(layout, layout.tmp, ENV, anIssue(), 500);
  const blocked = taker();
  await blocked.begin();
  assert.equal((await blocked.end()).workspace_changed, false);
  const freed = taker();
  await freed.begin();
  await rm(join(workspace, '.gitignore'));
  assert.equal((await freed.end()).workspace_changed, true);
  assert.equal((await taker().end()).workspace_changed, true, 'there was no look before');
});

test('pipes, sockets and folders too deep to be named are part of a tree, and are not opened', async () => {
  await using folder = await aFolder();
  const look = () => fingerprint(folder.path, null, folder.path, ENV);
  await putPipe(join(folder.path, 'pipe'));
  await using server = createServer().listen(join(folder.path, 'socket'));
  assert.ok(server.listening);
  // Longer than any path may be; Node could neither make nor name it.
  execFileSync(
    'sh',
    ['-c', 'for i in $(seq 60); do mkdir "$0" && cd -P "$0"; done', 'd'.repeat(100)],
    {
      cwd: folder.path,
    },
  );
  const first = await look();
  assert.ok('digest' in first);
  assert.deepEqual(await look(), first);
  await writeFile(join(folder.path, 'z'), 'changed');
  assert.notDeepEqual(await look(), first);
  execFileSync('rm', ['-rf', join(folder.path, 'd'.repeat(100))]);
});

test('timers run while a large tree is looked at', async () => {
  await using folder = await aFolder();
  for (let number = 0; number < 20_000; number++) {
    await symlink('nowhere', join(folder.path, String(number)));
  }
  let beats = 0;
  const heart = setInterval(() => beats++, 1);
  await fingerprint(folder.path, null, folder.path, ENV);
  clearInterval(heart);
  assert.ok(beats > 0);
});
