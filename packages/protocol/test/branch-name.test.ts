import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {defaultBranch, isBranchName} from '@symphony-supervisor/protocol';
import fc from 'fast-check';

function gitAccepts(name: string): boolean {
  return spawnSync('git', ['check-ref-format', `refs/heads/${name}`]).status === 0;
}

/** Valid as refs, but on a command line git takes them for something else. */
function isAmbiguous(name: string): boolean {
  return name === '@' || name === 'HEAD' || name.startsWith('-');
}

const ODD = [
  ...['', '.', '..', '-', '-x', 'x.lock', 'X.LOCK', 'a..b', 'a.', '.a', '@', '@{', 'a@{b', 'HEAD'],
  ...['a b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a/b', '/a', 'a/', 'a//b', 'a\nb'],
  ...[
    'a\u007fb',
    'a/.b',
    'a.lock/b',
    'refs/heads/x',
    'ABC-1',
    'gh#12',
    'größe',
    '\u{1f600}',
    'x'.repeat(150),
  ],
];

test('ordinary names are readable in the branch', () => {
  assert.equal(defaultBranch('web', 'ABC-1'), 'symphony/web/ABC-1');
  assert.equal(defaultBranch('my.site_2', 'x-7'), 'symphony/my.site_2/x-7');
});

test('whatever a project and a key are called, git accepts the branch', () => {
  for (const name of ODD) {
    const branch = defaultBranch(name, name);
    assert.ok(gitAccepts(branch), branch);
    assert.ok(isBranchName(branch), branch);
    assert.equal(branch.split('/').length, 3);
  }
});

test('distinct issues have distinct branches', () => {
  const names = [...ODD, 'a_b', 'a__b', '_a', '_', '__'];
  const branches = new Set(names.map((name) => defaultBranch('p', name)));
  assert.equal(branches.size, names.length);
  // A name that looks like one with a digest gets another digest.
  const given = defaultBranch('p', 'a b').split('/')[2] ?? '';
  assert.notEqual(defaultBranch('p', given), defaultBranch('p', 'a b'));
});

test('any pair of names has a valid branch of its own', () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), fc.string(), (project, key) => {
      const branch = defaultBranch(project, key);
      const before = seen.get(branch);
      seen.set(branch, JSON.stringify([project, key]));
      return isBranchName(branch) && (before === undefined || before === seen.get(branch));
    }),
  );
});

test('a name of a branch is valid exactly if git says so and takes it for nothing else', () => {
  const check = (name: string): void => {
    assert.equal(isBranchName(name), gitAccepts(name) && !isAmbiguous(name), JSON.stringify(name));
  };
  ODD.forEach(check);
  const character = fc.constantFrom(...'ab./-@{~^:?*[\\ _\u0001');
  fc.assert(fc.property(fc.string({unit: character, maxLength: 8}), check), {numRuns: 200});
});

test('a name too long for a file system is refused', () => {
  assert.equal(isBranchName('x'.repeat(200)), true);
  assert.equal(isBranchName('x'.repeat(201)), false);
  assert.equal(isBranchName('\u00f6'.repeat(101)), false);
});
