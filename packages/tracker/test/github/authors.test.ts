import assert from 'node:assert/strict';
import {test} from 'node:test';
import {soon, unwrap} from '../file/folder-of-issues.ts';
import {GithubRig} from './rig.ts';

test('who may start an agent: by default insiders where anybody can write', async () => {
  const rows: [isPrivate: boolean, allowed: string[] | undefined, expected: string][] = [
    [true, undefined, '1234'],
    [false, undefined, '123'],
    [false, ['owner'], '1'],
    [true, ['collaborator', '@Eve'], '34'],
    [false, ['*'], '1234'],
    [true, [], ''],
  ];
  for (const [isPrivate, allowed_authors, expected] of rows) {
    await using rig = await GithubRig.start((world) => {
      world.isPrivate = isPrivate;
      world.add(1, {association: 'OWNER'});
      world.add(2, {association: 'MEMBER'});
      world.add(3, {association: 'COLLABORATOR'});
      world.add(4, {association: 'CONTRIBUTOR', author: {login: 'eve', type: 'User'}});
    });
    const tracker = rig.tracker({allowed_authors});
    const listed = unwrap(await tracker.issuesByStates(['open'], soon()));
    const read = unwrap(await tracker.issuesByIds(['1', '2', '3', '4'], soon()));
    for (const issues of [listed, read]) {
      const allowed = issues.filter(({dispatchable}) => dispatchable).map(({id}) => id);
      assert.equal(allowed.join(''), expected, JSON.stringify({isPrivate, allowed_authors}));
    }
  }
});

test('a login that is spelled like a role is not that role', async () => {
  await using rig = await GithubRig.start((world) => {
    world.add(1, {association: 'NONE', author: {login: 'owner', type: 'User'}});
  });
  const [issue] = unwrap(
    await rig.tracker({allowed_authors: ['owner']}).issuesByStates(['open'], soon()),
  );
  assert.equal(issue?.dispatchable, false);
});
