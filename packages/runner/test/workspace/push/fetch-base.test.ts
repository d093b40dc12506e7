import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {mkdir, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {findGit} from '../../../src/workspace/git/git-places.ts';
import {layOut} from '../../../src/workspace/layout.ts';
import {fetchBase} from '../../../src/workspace/push/fetch-base.ts';
import {pushHead} from '../../../src/workspace/push/push-head.ts';
import {type Options, repositories} from './repositories.ts';

test('base and branch of the remote are in the workspace, and can be merged without it', async (t) => {
  const kinds: Record<string, Options> = {
    'a whole clone': {},
    'a shallow clone': {clone: ['--depth', '1']},
    'a clone without blobs': {clone: ['--filter=blob:none']},
    'SHA-256': {init: ['--object-format=sha256']},
  };
  for (const [name, options] of Object.entries(kinds)) {
    await t.test(name, async () => {
      await using repos = await repositories(options);
      await repos.commit('work');
      await repos.push();
      const base = await repos.commitElsewhere('main', 'newer');
      const head = await repos.commitElsewhere(repos.order.branch, 'theirs');
      assert.deepEqual(await repos.fetch(), {
        is: 'fetched',
        base: {ref: 'refs/symphony/base', commit: base},
        head: {ref: 'refs/symphony/head', commit: head},
      });
      await rename(repos.origin, `${repos.origin}.gone`);
      assert.equal(repos.git('rev-parse', 'refs/symphony/head'), head);
      repos.git('merge', '-q', '--no-edit', 'refs/symphony/base');
      assert.ok(existsSync(join(repos.workspace, 'newer')));
      repos.git('rebase', '-q', 'refs/symphony/head');
      assert.deepEqual(readdirSync(repos.scratch), []);
    });
  }
});

test('a branch that is not on the remote leaves no ref', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  await repos.push();
  const first = await repos.fetch();
  assert.ok(first.is === 'fetched' && first.head !== null);
  repos.gitIn(repos.origin, 'update-ref', '-d', `refs/heads/${repos.order.branch}`);
  const second = await repos.fetch();
  assert.deepEqual(second, {is: 'fetched', base: first.base, head: null});
  assert.throws(() => repos.git('rev-parse', '--verify', '-q', 'refs/symphony/head'));
});

test('a base that is not on the remote is told', async () => {
  await using repos = await repositories();
  const names = {base: 'trunk', branch: 'x'};
  const outcome = await fetchBase(repos.repository, repos.remote, names, repos.tools);
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'base_not_found');
});

test('worktrees of one repository have refs of their own', async () => {
  await using repos = await repositories();
  const worktrees = await Promise.all(
    ['ABC-2', 'ABC-3'].map(async (key) => {
      const layout = await layOut(join(repos.path, 'root'), key);
      repos.git('worktree', 'add', '-q', '-b', key, layout.path);
      await writeFile(join(layout.path, key), key);
      repos.gitIn(layout.path, 'add', key);
      repos.gitIn(layout.path, 'commit', '-qm', key);
      return {key, layout, repository: {places: await findGit(layout), alternates: []}};
    }),
  );
  for (const {key, layout, repository} of worktrees) {
    const order = {...repos.order, branch: `symphony/p/${key}`};
    const pushed = await pushHead(repository, repos.remote, order, repos.tools);
    assert.deepEqual(pushed, {is: 'pushed', head: repos.gitIn(layout.path, 'rev-parse', 'HEAD')});
    const names = {base: 'main', branch: order.branch};
    const fetched = await fetchBase(repository, repos.remote, names, repos.tools);
    assert.ok(fetched.is === 'fetched');
    assert.equal(fetched.head?.ref, 'refs/worktree/symphony/head');
  }
  for (const {layout} of worktrees) {
    const [head, fetched] = repos
      .gitIn(layout.path, 'rev-parse', 'HEAD', 'refs/worktree/symphony/head')
      .split('\n');
    assert.equal(fetched, head);
  }
});

test('a .git that became a file leads nowhere', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  const git = join(repos.workspace, '.git');
  await rename(git, `${repos.path}/elsewhere`);
  await writeFile(git, `gitdir: ${repos.path}/elsewhere\n`);
  await writeFile(
    repos.layout.record,
    JSON.stringify({issue_id: '1', identifier: 'ABC-1', created_at: '', git_dirs: []}),
  );
  const repository = {places: await findGit(repos.layout), alternates: []};
  const outcome = await pushHead(repository, repos.remote, repos.order, repos.tools);
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'no_repository');
});

test('what an agent has put in the place of our refs is removed, not followed', async (t) => {
  const ways: Record<string, (folder: string, outside: string) => Promise<void>> = {
    'a link as the ref': async (folder, outside) => symlink(outside, join(folder, 'base')),
    'a link as the folder': async (folder, outside) => {
      await rm(folder, {recursive: true});
      await symlink(join(outside, '..'), folder);
    },
    'a file as the folder': async (folder) => {
      await rm(folder, {recursive: true});
      await writeFile(folder, 'x');
    },
    'a folder as the ref': async (folder) => {
      await mkdir(join(folder, 'base/below'), {recursive: true});
    },
    'a pipe as the ref': async (folder) => {
      execFileSync('mkfifo', [join(folder, 'base')]);
    },
    'a lock': async (folder) => writeFile(join(folder, 'base.lock'), ''),
  };
  for (const [name, make] of Object.entries(ways)) {
    await t.test(name, async () => {
      await using repos = await repositories();
      const outside = join(repos.path, 'outside/base');
      await mkdir(join(outside, '..'));
      const folder = join(repos.workspace, '.git/refs/symphony');
      await mkdir(folder);
      await make(folder, outside);
      assert.equal((await repos.fetch()).is, 'fetched');
      assert.equal(existsSync(outside), false);
      assert.equal(repos.git('rev-parse', 'refs/symphony/base'), repos.start);
    });
  }
});

test('refs that are elsewhere by a link are not written', async () => {
  await using repos = await repositories();
  const refs = join(repos.workspace, '.git/refs');
  await rename(refs, join(repos.path, 'refs'));
  await symlink(join(repos.path, 'refs'), refs);
  const outcome = await repos.fetch();
  assert.ok(outcome.is === 'refused');
  assert.equal(outcome.kind, 'unsafe_repository');
  assert.equal(existsSync(join(repos.path, 'refs/symphony')), false);
});

test('a fetch is repeated without harm', async () => {
  await using repos = await repositories();
  const base = await repos.commitElsewhere('main', 'newer');
  assert.deepEqual(await repos.fetch(), await repos.fetch());
  assert.equal(repos.git('rev-parse', 'refs/symphony/base'), base);
  repos.git('fsck', '--strict');
});
