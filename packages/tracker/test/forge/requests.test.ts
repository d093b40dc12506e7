import assert from 'node:assert/strict';
import {test} from 'node:test';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {GITEA_DIALECT} from '../servers/forge/gitea-dialect.ts';
import {GITHUB_DIALECT} from '../servers/forge/github-dialect.ts';
import {GITLAB_DIALECT} from '../servers/forge/gitlab-dialect.ts';
import {ForgeRig} from './rig.ts';

// What a watch costs: one read each minute.

/** So many open pull requests, each with a check. */
function fill({world}: ForgeRig, count: number): number[] {
  const sha = world.git.commit('work-0');
  const branches = Array.from({length: count}, (_, index) => `work-${index}`);
  world.git.point(branches, sha);
  const pulls = branches.map((branch) => world.pullAt(branch, sha));
  for (const pull of pulls.slice(0, 1)) world.check(pull, 'test', 'passed');
  return pulls.map(({number}) => number);
}

test('watching 500 pull requests on GitHub takes at most ten requests a minute', async () => {
  await using rig = await ForgeRig.start('github', GITHUB_DIALECT);
  const numbers = fill(rig, 500);
  for (const pull of rig.world.pulls.values()) {
    if (pull.number % 3 === 0) rig.world.thread(pull, 'a.ts', 1, ['ann', 'Why?']);
  }
  const read = async () => unwrap(await rig.forge.readPullRequests(numbers, soon()));
  const first = await read();
  assert.equal(first.length, 500);
  assert.equal(first.filter(({threads}) => threads.length === 1).length, 166);
  assert.equal(rig.asked(), 10);
  await read();
  assert.equal(rig.asked(), 8);
  const answered = rig.world.pulls.get(3);
  assert.ok(answered?.threads[0] !== undefined);
  rig.world.reply(answered, answered.threads[0], 'ann', 'And this?');
  const [third] = (await read()).filter(({number}) => number === 3);
  assert.deepEqual(
    third?.threads[0]?.comments.map(({body}) => body),
    ['Why?', 'And this?'],
  );
  assert.equal(rig.asked(), 9);
});

test('more unread threads than a read takes are read by the next ones', async () => {
  await using rig = await ForgeRig.start('github', GITHUB_DIALECT);
  const [number = 0] = fill(rig, 1);
  const pull = rig.world.pulls.get(number);
  assert.ok(pull !== undefined);
  for (let line = 1; line <= 250; line += 1) rig.world.thread(pull, 'a.ts', line, ['ann', 'Why?']);
  const first = await rig.read(number);
  assert.deepEqual([first.threads.length, first.hasMore.threads], [200, true]);
  const second = await rig.read(number);
  assert.deepEqual([second.threads.length, second.hasMore.threads], [250, false]);
});

test('on GitLab an unchanged merge request takes one request, and its body is not sent again', async () => {
  await using rig = await ForgeRig.start('gitlab', GITLAB_DIALECT);
  const numbers = fill(rig, 20);
  await rig.forge.readPullRequests(numbers, soon());
  rig.asked();
  unwrap(await rig.forge.readPullRequests(numbers, soon()));
  // The list, the tip of the base, and each merge request with its pipeline.
  const again = rig.proxy.seen.splice(0);
  assert.equal(again.length, 22);
  assert.ok(again.every(({headers}) => headers['if-none-match'] !== undefined));
});

test('on Gitea an unchanged pull request takes one request beside the list', async () => {
  await using rig = await ForgeRig.start('gitea', GITEA_DIALECT);
  const numbers = fill(rig, 40);
  await rig.forge.readPullRequests(numbers, soon());
  rig.asked();
  assert.equal(unwrap(await rig.forge.readPullRequests(numbers, soon())).length, 40);
  assert.equal(rig.asked(), 42);
});

test('on Gitea a merge that stays impossible is a conflict only after some seconds', async (t) => {
  await using rig = await ForgeRig.start('gitea', GITEA_DIALECT);
  const pull = rig.world.pull('work', {isMergeable: false});
  const now = performance.now();
  t.mock.method(performance, 'now', () => now);
  assert.equal((await rig.read(pull.number)).mergeability, 'unknown');
  assert.equal((await rig.read(pull.number)).mergeability, 'unknown');
  t.mock.method(performance, 'now', () => now + 10_000);
  assert.equal((await rig.read(pull.number)).mergeability, 'conflict');
  rig.world.git.commit('work');
  assert.equal((await rig.read(pull.number)).mergeability, 'unknown');
});
