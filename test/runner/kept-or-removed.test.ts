import assert from 'node:assert/strict';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {agentRuns, anOrigin, COMMIT, clean, exists, run} from './cleaning.ts';

test('a workspace without work is removed', async (t) => {
  const scripts = [
    ['nothing was done', 'git log'],
    ['ignored files', 'echo x > build.log'],
    ['a pushed commit', `${COMMIT}; git push -q origin HEAD:refs/heads/agent/ABC-1`],
    [
      'a pushed branch beside another',
      `git checkout -qb b; ${COMMIT}; git push -q origin b; git checkout -q main`,
    ],
    [
      'a commit that was pushed, and others on top of it by another author',
      `${COMMIT}; git push -q origin HEAD:b; git commit -q --allow-empty -m theirs; git push -q origin HEAD:main HEAD:b; git reset -q --hard HEAD~1`,
    ],
    ['what it changed is as it was', 'echo two > one; git checkout -q one'],
  ] as const;
  for (const [what, script] of scripts) {
    await t.test(what, async () => {
      await using folder = await aFolder();
      const origin = await anOrigin(folder.path);
      await agentRuns(folder.path, script, `git clone -q '${origin}' .`);
      assert.deepEqual(await clean(folder.path), {is: 'removed'});
      assert.equal(await exists(join(folder.path, 'ws/ABC-1')), false);
      assert.equal(await exists(join(folder.path, 'ws/.symphony/start/ABC-1.json')), false);
    });
  }
});

test('what after_create left uncommitted is no work, until an agent changes it', async () => {
  await using folder = await aFolder();
  const origin = await anOrigin(folder.path);
  const afterCreate = `git clone -q '${origin}' . && echo made > made && echo local >> one`;
  await agentRuns(folder.path, 'cat made one', afterCreate);
  assert.deepEqual(await clean(folder.path), {is: 'removed'});
  await agentRuns(folder.path, 'echo changed >> made', afterCreate);
  assert.deepEqual(await clean(folder.path), {is: 'kept', reason: '1 file not committed'});
});

test('a remote that cannot be asked keeps the workspace, and its password to itself', async () => {
  await using folder = await aFolder();
  const origin = await anOrigin(folder.path);
  await agentRuns(
    folder.path,
    `${COMMIT}; git push -q origin HEAD:b`,
    `git clone -q '${origin}' .`,
  );
  await rm(origin, {recursive: true});
  const outcome = await clean(folder.path);
  assert.ok(outcome?.is === 'kept');
  assert.match(outcome.reason, /^1 commit not pushed \(the remote cannot be read: .*origin\.git/);

  await rm(join(folder.path, 'ws'), {recursive: true});
  const secret = 'git init -q && git remote add origin http://me:s3cr3t-t0ken@127.0.0.1:1/x.git';
  await agentRuns(folder.path, COMMIT, secret);
  const refused = await clean(folder.path);
  assert.ok(refused?.is === 'kept');
  assert.match(refused.reason, /cannot be read/);
  assert.doesNotMatch(refused.reason, /s3cr3t/);
});

test('delivered meanwhile, a kept workspace is removed at the next look', async () => {
  await using folder = await aFolder();
  const origin = await anOrigin(folder.path);
  await agentRuns(folder.path, COMMIT, `git clone -q '${origin}' .`);
  assert.deepEqual(await clean(folder.path), {is: 'kept', reason: '1 commit not pushed'});
  await run('git', ['-C', join(folder.path, 'ws/ABC-1'), 'push', '-q', origin, 'HEAD:b']);
  assert.deepEqual(await clean(folder.path), {is: 'removed'});
});

test('a worktree is kept for its own commits and files, not for other branches', async () => {
  await using folder = await aFolder();
  const origin = await anOrigin(folder.path);
  const main = join(folder.path, 'main');
  await run('git', ['clone', '-q', origin, main]);
  const afterCreate = `git -C '${main}' worktree add -q --force -B agent "$PWD"`;
  await agentRuns(folder.path, COMMIT, afterCreate);
  assert.deepEqual(await clean(folder.path), {is: 'kept', reason: '1 commit not pushed'});
  await run('git', ['-C', main, 'push', '-q', 'origin', 'agent']);
  await run('sh', ['-c', `cd '${main}' && git checkout -qb theirs && ${COMMIT}`]);
  assert.deepEqual(await clean(folder.path), {is: 'removed'});

  await run('git', ['-C', main, 'worktree', 'prune']);
  await agentRuns(folder.path, 'echo x > x', afterCreate);
  assert.deepEqual(await clean(folder.path), {is: 'kept', reason: '1 file not committed'});
});

test('without git, a workspace that an agent changed is kept', async () => {
  await using folder = await aFolder();
  await agentRuns(folder.path, 'ls', 'echo made > made');
  assert.deepEqual(await clean(folder.path), {is: 'removed'});
  await agentRuns(folder.path, 'echo x >> made', 'echo made > made');
  assert.deepEqual(await clean(folder.path), {is: 'kept', reason: 'files changed, without git'});
});

test('without a remote, commits are kept', async () => {
  await using folder = await aFolder();
  await agentRuns(folder.path, COMMIT, 'git init -q');
  assert.deepEqual(await clean(folder.path), {is: 'kept', reason: '1 commit not pushed'});
});

test('a workspace whose start is not on record is kept unless it is empty', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'ws/ABC-1');
  await mkdir(path, {recursive: true});
  assert.deepEqual(await clean(folder.path), {is: 'removed'});
  await mkdir(path);
  await writeFile(join(path, 'precious'), 'keep me');
  assert.deepEqual(await clean(folder.path), {is: 'kept', reason: 'files changed, without git'});
  assert.equal(await readFile(join(path, 'precious'), 'utf8'), 'keep me');
});

test('a half made workspace has seen no agent, and is removed', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'ws/ABC-1');
  await mkdir(join(folder.path, 'ws/.symphony/half-made'), {recursive: true});
  await mkdir(path, {recursive: true});
  await writeFile(join(path, 'half'), 'a clone that was cut off');
  await writeFile(join(folder.path, 'ws/.symphony/half-made/ABC-1'), '');
  assert.deepEqual(await clean(folder.path), {is: 'removed'});
});

test('the look runs nothing that the workspace names', async () => {
  await using folder = await aFolder();
  const origin = await anOrigin(folder.path);
  const trap = `touch '${join(folder.path, 'trapped')}'`;
  const script = `${COMMIT}; echo two > one
    git config core.fsmonitor "${trap}"; git config core.sshCommand "${trap}"
    git config remote.origin.uploadpack "${trap}"; git config filter.trap.clean "${trap}"
    git config diff.external "${trap}"; echo '* filter=trap' > .gitattributes
    git config extensions.partialClone origin; git config remote.origin.promisor true
    mkdir -p .git/hooks; printf '#!/bin/sh\\n%s\\n' "${trap}" > .git/hooks/post-index-change
    chmod +x .git/hooks/post-index-change`;
  await agentRuns(folder.path, script, `git clone -q '${origin}' .`);
  await rm(join(folder.path, 'trapped'), {force: true}); // by the agent itself, for its own git ran it
  assert.deepEqual(await clean(folder.path), {
    is: 'kept',
    reason: '1 commit not pushed, 2 files not committed',
  });
  assert.equal(await exists(join(folder.path, 'trapped')), false);
});

test('a repository that cannot be read is kept', async () => {
  await using folder = await aFolder();
  const origin = await anOrigin(folder.path);
  const damage = `${COMMIT}; find .git/objects -type f -delete`;
  await agentRuns(folder.path, damage, `git clone -q '${origin}' .`);
  const outcome = await clean(folder.path);
  assert.ok(outcome?.is === 'kept', outcome?.is);
  assert.match(outcome.reason, /^it cannot be inspected: ./);
  assert.ok(await exists(join(folder.path, 'ws/ABC-1/work.txt')));
});
