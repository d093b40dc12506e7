import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {AUTHOR, agentRuns, anOrigin, COMMIT, clean, exists} from './cleaning.ts';

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
