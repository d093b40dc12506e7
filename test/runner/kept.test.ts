import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {access, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aCleaning, anAttempt, aWorkspace} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

const run = promisify(execFile);

const AUTHOR = 'git config user.email a@example.test && git config user.name A';
const COMMIT = `${AUTHOR} && echo work > work.txt && git add work.txt && git commit -qm work`;

/** A bare repository with one commit, where an operator's pushes would go. */
async function anOrigin(folder: string): Promise<string> {
  const origin = join(folder, 'origin.git');
  const seed = join(folder, 'seed');
  const script = `git init -q --bare -b main '${origin}' && git init -q -b main '${seed}' && cd '${seed}' &&
    ${AUTHOR} && echo '*.log' > .gitignore && echo one > one && git add -A && git commit -qm one &&
    git push -q '${origin}' main`;
  await run('sh', ['-c', script]);
  return origin;
}

/** One run whose agent does this, in a workspace that `after_create` has filled. */
async function agentRuns(folder: string, script: string, after_create: string | null) {
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_create};
  const job = anAttempt(folder, {agent: {command: puppet.command}, hooks});
  await using runner = new RunnerRig(job);
  const turn = await puppet.nextTurn();
  const {exitCode, output} = await turn.runs(script);
  assert.equal(exitCode, 0, output);
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
}

async function clean(folder: string, keep_work = true) {
  const workspaces = [{...aWorkspace(folder), keep_work}];
  const hooks = {before_remove: 'touch ../../before_remove'};
  await using runner = new RunnerRig(aCleaning(folder, {workspaces, hooks}));
  const {outcomes} = await runner.heard('cleaned');
  await runner.exited;
  return outcomes[0];
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const KEPT: readonly (readonly [what: string, script: string, reason: string])[] = [
  ['a commit', COMMIT, '1 commit not pushed'],
  [
    'a commit on another branch',
    `git checkout -qb b; ${COMMIT}; git checkout -q main`,
    '1 commit not pushed',
  ],
  ['a commit on no branch', `git checkout -q --detach; ${COMMIT}`, '1 commit not pushed'],
  [
    'a packed branch',
    `git checkout -qb b; ${COMMIT}; git checkout -q main; git pack-refs --all`,
    '1 commit not pushed',
  ],
  // A stash is a commit of the files and one of the index.
  ['a stash', `${AUTHOR}; echo two > one; git stash -q`, '2 commits not pushed'],
  [
    'an older stash',
    `${AUTHOR}; echo 2 > one; git stash -q; echo 3 > one; git stash -q; git stash drop -q`,
    '2 commits not pushed',
  ],
  ['a changed file', 'echo two > one', '1 file not committed'],
  ['a deleted file', 'rm one', '1 file not committed'],
  ['a file in the index', 'echo two > two; git add two', '1 file not committed'],
  ['new files', 'mkdir -p a/b; echo x > a/b/c; echo y > a/d', '2 files not committed'],
  ['another repository inside', 'git init -q inner; echo x > inner/x', '1 file not committed'],
  [
    'all of it',
    `${COMMIT}; echo two > one; echo x > x`,
    '1 commit not pushed, 2 files not committed',
  ],
  [
    'a repository that was replaced',
    `rm -rf .git; git init -q -b main; ${COMMIT}`,
    '1 commit not pushed, 2 files not committed',
  ],
  ['a repository that was removed', 'rm -rf .git', 'its git repository is gone'],
  // What a workspace says of its remote proves nothing.
  [
    'a forged remote-tracking ref',
    `${COMMIT}; git update-ref refs/remotes/origin/main HEAD`,
    '1 commit not pushed',
  ],
  [
    'a forged remote',
    `${COMMIT}; git init -q --bare ../../fake.git; git remote set-url origin ../../fake.git; git push -q origin HEAD:main`,
    '1 commit not pushed',
  ],
];

test('a workspace with work that is nowhere else is kept, and says what it holds', async (t) => {
  for (const [what, script, reason] of KEPT) {
    await t.test(what, async () => {
      await using folder = await aFolder();
      const origin = await anOrigin(folder.path);
      await agentRuns(folder.path, script, `git clone -q '${origin}' .`);
      assert.deepEqual(await clean(folder.path), {is: 'kept', reason});
      assert.ok(await exists(join(folder.path, 'ws/ABC-1')));
      assert.equal(await exists(join(folder.path, 'before_remove')), false, 'no hook runs');
      assert.deepEqual(await clean(folder.path, false), {is: 'removed'});
      assert.ok(await exists(join(folder.path, 'before_remove')));
    });
  }
});

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
      'a commit that was pushed, and others on top of it by somebody else',
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
  assert.match(outcome.reason, /^1 commit not pushed \(the remote cannot be asked: .*origin\.git/);

  await rm(join(folder.path, 'ws'), {recursive: true});
  const secret = 'git init -q && git remote add origin http://me:s3cr3t-t0ken@127.0.0.1:1/x.git';
  await agentRuns(folder.path, COMMIT, secret);
  const refused = await clean(folder.path);
  assert.ok(refused?.is === 'kept');
  assert.match(refused.reason, /cannot be asked/);
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
