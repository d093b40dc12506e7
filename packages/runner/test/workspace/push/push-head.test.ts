import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {chmod, mkdir, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {pushHead} from '../../../src/workspace/push/push-head.ts';
import {asFailure, type RefusalKind} from '../../../src/workspace/push/refusal.ts';
import {whatRemoteHas} from '../../../src/workspace/push/what-remote-has.ts';
import {repositories} from './repositories.ts';

type Outcome = Awaited<ReturnType<typeof pushHead>>;

function assertRefused(outcome: {is: string}, kind: RefusalKind, message: RegExp): void {
  assert.ok('kind' in outcome && 'message' in outcome, JSON.stringify(outcome));
  assert.equal(outcome.kind, kind, String(outcome.message));
  assert.match(String(outcome.message), message);
}

async function serverHook(origin: string, name: string, script: string): Promise<void> {
  await mkdir(join(origin, 'hooks'), {recursive: true});
  await writeFile(join(origin, 'hooks', name), `#!/bin/sh\n${script}\n`);
  await chmod(join(origin, 'hooks', name), 0o755);
}

test('HEAD arrives at the branch, once, and the private folder is gone', async () => {
  await using repos = await repositories();
  const head = await repos.commit('work');
  assert.deepEqual(await repos.push(), {is: 'pushed', head});
  assert.equal(repos.onRemote(), head);
  assert.deepEqual(await repos.push(), {is: 'up_to_date', head}, 'by the same order');
  assert.deepEqual(await repos.push({expected: head}), {is: 'up_to_date', head});
  assert.deepEqual(readdirSync(repos.scratch), []);
});

test('work that was rewritten replaces what we pushed before', async () => {
  await using repos = await repositories();
  const first = await repos.commit('work');
  await repos.push();
  repos.git('reset', '-q', '--hard', repos.start);
  const second = await repos.commit('better');
  assert.deepEqual(await repos.push({expected: first}), {is: 'pushed', head: second});
  assert.equal(repos.onRemote(), second);
});

test('without a commit of its own nothing is pushed', async () => {
  await using repos = await repositories();
  const head = repos.start;
  assert.deepEqual(await repos.push(), {is: 'nothing_to_push', head});
  repos.git('reset', '-q', '--hard', 'HEAD~1');
  const behind = repos.git('rev-parse', 'HEAD');
  assert.deepEqual(await repos.push(), {is: 'nothing_to_push', head: behind});
  const base = {branch: 'main', commit: null};
  assert.deepEqual(await repos.push({base}), {is: 'nothing_to_push', head: behind});
  assert.equal(repos.onRemote(), null);
});

test('a branch that is not where it is expected is left alone', async (t) => {
  await using repos = await repositories();
  const head = await repos.commit('work');
  await t.test('it exists, but must not', async () => {
    const other = await repos.commitElsewhere(repos.order.branch, 'theirs');
    assertRefused(await repos.push(), 'branch_moved', new RegExp(`at ${other}.*to be absent`));
    assert.equal(repos.onRemote(), other);
  });
  await t.test('it was moved', async () => {
    const other = await repos.commitElsewhere(repos.order.branch, 'again');
    assertRefused(await repos.push({expected: repos.start}), 'branch_moved', /expected to be at/);
    assert.equal(repos.onRemote(), other);
    assert.deepEqual(await repos.push({expected: other}), {is: 'pushed', head});
  });
  await t.test('it was deleted', async () => {
    repos.gitIn(repos.origin, 'update-ref', '-d', `refs/heads/${repos.order.branch}`);
    assertRefused(await repos.push({expected: head}), 'branch_moved', /is absent/);
    assert.equal(repos.onRemote(), null);
    assert.deepEqual(await repos.push(), {is: 'pushed', head});
  });
});

test('a hook of the server declines', async (t) => {
  await using repos = await repositories();
  await repos.commit('work');
  await t.test('for its own reasons', async () => {
    await serverHook(
      repos.origin,
      'pre-receive',
      'echo "no WIP: https://u:hunter22@x.org" >&2; exit 1',
    );
    const outcome = await repos.push();
    assertRefused(outcome, 'hook_declined', /pre-receive hook declined.*no WIP/);
    assert.doesNotMatch(JSON.stringify(outcome), /hunter22/);
  });
  await t.test('because the branch is protected', async () => {
    await serverHook(
      repos.origin,
      'pre-receive',
      'echo "GH006: Protected branch update failed" >&2; exit 1',
    );
    assertRefused(await repos.push(), 'protected_branch', /Protected branch/);
  });
  assert.equal(repos.onRemote(), null);
});

test('neither the base nor an invalid branch is pushed to', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  assertRefused(await repos.push({branch: 'main'}), 'not_allowed', /base branch/);
  for (const branch of ['a..b', '-d', 'a b', '', 'x.lock', 'refs/../x', 'a\n']) {
    assertRefused(await repos.push({branch}), 'not_allowed', /not a valid name/);
  }
});

test('addresses that run programs, or that git may take for something else, are refused', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  for (const url of [
    'ext::sh -c true',
    'fd::3',
    '-o',
    '--exec=x',
    'origin',
    '../x',
    'x\ny:z',
    'a::b',
  ]) {
    assertRefused(
      await repos.push({}, {url, push_with: 'git'}),
      'not_allowed',
      /must be an address/,
    );
  }
});

test('a remote that is not there is no defect of the work', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  const to = (url: string): Promise<Outcome> => repos.push({}, {url, push_with: 'git'});
  assertRefused(await to(`file://${repos.path}/none.git`), 'repository_not_found', /not appear/);
  assertRefused(await to('http://127.0.0.1:9/x.git'), 'remote_unreachable', /unable to access/);
  assertRefused(await to('git://127.0.0.1:9/x.git'), 'remote_unreachable', /./);
});

/** Accepts connections and never says a word. */
async function silentRemote(onConnection = (): void => {}) {
  const server = createServer((socket) => {
    socket.resume().on('error', () => {});
    onConnection();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const remote = {url: `git://127.0.0.1:${address.port}/x.git`, push_with: 'git'} as const;
  return {remote, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

test('a remote that hangs is given up at the time limit, and nothing is left of git', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  await using silent = await silentRemote();
  const outcome = await repos.push({}, silent.remote, {limits: {askMs: 500}});
  assertRefused(outcome, 'timed_out', /time limit/);
  assert.deepEqual(await repos.tools.processes.endAll(0), []);
});

test('a push that is cut off ends, and says so', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  const cutOff = new AbortController();
  await using silent = await silentRemote(() => cutOff.abort());
  const outcome = await repos.push({}, silent.remote, {cutOff: cutOff.signal});
  assertRefused(outcome, 'cut_off', /cut off/);
});

test('every kind of clone is pushed from', async (t) => {
  const kinds = {
    shallow: ['--depth', '1'],
    'without blobs': ['--filter=blob:none'],
    'without trees': ['--filter=tree:0'],
    'single branch': ['--single-branch'],
  };
  for (const [name, clone] of Object.entries(kinds)) {
    await t.test(name, async () => {
      await using repos = await repositories({clone});
      const head = await repos.commit('work');
      assert.deepEqual(await repos.push(), {is: 'pushed', head});
      repos.gitIn(repos.origin, 'fsck', '--strict');
    });
  }
});

test('repositories of every form are pushed from', async (t) => {
  await t.test('SHA-256', async () => {
    await using repos = await repositories({init: ['--object-format=sha256']});
    const head = await repos.commit('work');
    assert.equal(head.length, 64);
    assert.deepEqual(await repos.push(), {is: 'pushed', head});
  });
  await t.test('packed objects and refs', async () => {
    await using repos = await repositories();
    const head = await repos.commit('work');
    repos.git('gc', '-q');
    repos.git('pack-refs', '--all');
    assert.deepEqual(await repos.push(), {is: 'pushed', head});
  });
  await t.test('a detached HEAD', async () => {
    await using repos = await repositories();
    repos.git('checkout', '-q', '--detach');
    const head = await repos.commit('work');
    assert.deepEqual(await repos.push(), {is: 'pushed', head});
  });
});

test('a repository without commit, or none at all, is told', async () => {
  await using repos = await repositories();
  repos.git('checkout', '-q', '--orphan', 'fresh');
  assertRefused(await repos.push(), 'no_repository', /no commit/);
  const places = {writable: [], gitDir: null, commonDir: null};
  const outcome = await pushHead({places, alternates: []}, repos.remote, repos.order, repos.tools);
  assertRefused(outcome, 'no_repository', /no git repository/);
});

test('objects that are missing are named, with the remedy', async () => {
  await using repos = await repositories();
  await repos.commit('work', 'a line that is nowhere else');
  const blob = repos.git('rev-parse', 'HEAD:work');
  await rm(join(repos.workspace, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const outcome = await repos.push();
  assertRefused(outcome, 'missing_objects', new RegExp(`${blob}.*hooks\\.deliver`));
  assert.ok(outcome.is === 'refused');
  assert.equal(asFailure(outcome).code, 'delivery_failed');
  assert.equal(repos.onRemote(), null);
});

test('a shallow clone of what the remote no longer has is refused by name', async () => {
  await using repos = await repositories({clone: ['--depth', '1']});
  await repos.commit('work');
  const tree = repos.gitIn(repos.origin, 'rev-parse', 'main^{tree}');
  const id = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const other = repos.gitIn(repos.origin, ...id, 'commit-tree', '-m', 'other', tree);
  repos.gitIn(repos.origin, 'update-ref', 'refs/heads/main', other);
  repos.gitIn(repos.origin, 'reflog', 'expire', '--expire=now', '--all');
  repos.gitIn(repos.origin, 'gc', '-q', '--prune=now');
  assertRefused(
    await repos.push(),
    'missing_objects',
    /shallow update not allowed.*hooks\.deliver/,
  );
});

test('pointers of Git LFS are refused in new commits only', async () => {
  await using repos = await repositories();
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
  await repos.commit('big.bin', pointer);
  assertRefused(await repos.push(), 'lfs_objects', /Git LFS.*hooks\.deliver/);
  repos.git('push', '-q', 'origin', 'HEAD:main');
  const head = await repos.commit(
    'small.txt',
    'version https://git-lfs.github.com/spec/v1 is a line',
  );
  assert.deepEqual(await repos.push(), {is: 'pushed', head});
});

test('what the remote has is asked without a workspace', async () => {
  await using repos = await repositories();
  const head = await repos.commit('work');
  await repos.push();
  const answer = await whatRemoteHas(repos.remote, repos.tools);
  assert.ok(answer.is === 'answered');
  assert.deepEqual(
    [...answer.branches],
    [
      ['main', repos.start],
      [repos.order.branch, head],
    ],
  );
  const nowhere = {url: `file://${repos.path}/none.git`, push_with: 'git'} as const;
  assertRefused(await whatRemoteHas(nowhere, repos.tools), 'repository_not_found', /none\.git/);
});

test('without git on the machine the push fails with a reason', async () => {
  await using repos = await repositories();
  await repos.commit('work');
  const outcome = await repos.push({}, repos.remote, {environment: {PATH: '/nonexistent'}});
  assertRefused(outcome, 'git_failed', /ENOENT/);
});
