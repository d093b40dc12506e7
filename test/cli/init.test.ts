import assert from 'node:assert/strict';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {aFolder} from '../rig/fixtures/folder.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

/** Words that are spelled like keys, so that `validate` says nothing about a key that is none. */
const KEYS = {LINEAR_API_KEY: 'lin_api_none', GITHUB_TOKEN: 'ghp_none'};

for (const [tracker, project] of [
  ['file', []],
  ['linear', ['--project', 'my-project-1a2b']],
  ['github', ['--project', 'owner/name']],
] as const) {
  test(`init --tracker ${tracker} writes a file that validates without a word`, async () => {
    await using folder = await aFolder();
    const repository = ['--repository', "git@example.com:it's/here.git"];
    const args = ['init', 'sub', '--tracker', tracker, ...project, ...repository];
    const made = await supervisorCommand(args, {cwd: folder.path});
    assert.equal(made.code, 0, made.stderr);
    const cwd = join(folder.path, 'sub');
    const {code, stdout, stderr} = await supervisorCommand(['validate'], {cwd, env: KEYS});
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /valid \(0 errors, 0 warnings\)/);
    const text = await readFile(join(cwd, 'WORKFLOW.md'), 'utf8');
    assert.match(text, /git clone --quiet -- 'git@example\.com:it'\\''s\/here\.git' \./);
  });
}

test('without a terminal and without flags: the file tracker, with an issue that would be dispatched', async () => {
  await using folder = await aFolder();
  assert.equal((await supervisorCommand(['init'], {cwd: folder.path})).code, 0);
  const plan = await supervisorCommand(['--dry-run', '--json'], {cwd: folder.path});
  assert.equal(JSON.parse(plan.stdout).dispatch[0].issue_identifier, 'HELLO-1');
});

test('init --agent writes a file for that agent, and one that does not exist is exit 2', async () => {
  await using folder = await aFolder();
  const claude = await supervisorCommand(['init', '--agent', 'claude'], {cwd: folder.path});
  assert.equal(claude.code, 0, claude.stderr);
  const text = await readFile(join(folder.path, 'WORKFLOW.md'), 'utf8');
  assert.match(text, /^ {2}kind: claude\n {2}command: claude$/m);
  assert.match(text, /^# claude:$/m);
  assert.doesNotMatch(text, /codex/);
  const {stdout} = await supervisorCommand(['validate'], {cwd: folder.path});
  assert.match(stdout, /valid \(0 errors, 0 warnings\)/);
  const none = await supervisorCommand(['init', 'sub', '--agent', 'none'], {cwd: folder.path});
  assert.equal(none.code, 2);
  assert.match(none.stderr, /--agent: there is no agent "none"; give codex or /);
});

test('what is there is not overwritten without --force, and issues never are', async () => {
  await using folder = await aFolder();
  const path = join(folder.path, 'WORKFLOW.md');
  await writeFile(path, 'mine');
  await mkdir(join(folder.path, 'issues'));
  await writeFile(join(folder.path, 'issues/HELLO-1.md'), 'mine');
  const refused = await supervisorCommand(['init'], {cwd: folder.path});
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /WORKFLOW\.md already exists\n.*--force/);
  assert.equal(await readFile(path, 'utf8'), 'mine');
  assert.equal((await supervisorCommand(['init', '--force'], {cwd: folder.path})).code, 0);
  assert.notEqual(await readFile(path, 'utf8'), 'mine');
  assert.equal(await readFile(join(folder.path, 'issues/HELLO-1.md'), 'utf8'), 'mine');
});

test('a repository for github that is none: exit 2', async () => {
  await using folder = await aFolder();
  const args = ['init', '--tracker', 'github', '--project', 'only-a-name'];
  const {code, stderr} = await supervisorCommand(args, {cwd: folder.path});
  assert.equal(code, 2);
  assert.match(stderr, /owner\/repository/);
});

test('a file with its placeholders is not valid, and says which', async () => {
  for (const tracker of ['linear', 'github']) {
    await using folder = await aFolder();
    const cwd = folder.path;
    assert.equal((await supervisorCommand(['init', '--tracker', tracker], {cwd})).code, 0);
    const {code, stderr} = await supervisorCommand(['validate'], {cwd, env: KEYS});
    assert.equal(code, 3);
    assert.match(
      stderr,
      /tracker\.provider\.\w+ is "(fill-in-the-slug|owner\/repository)".*placeholder/,
    );
  }
});

test('what git cannot clone from is refused, and a folder is named in full', async () => {
  await using folder = await aFolder();
  const cwd = folder.path;
  const wrong = await supervisorCommand(['init', '--repository', 'team/web'], {cwd});
  assert.equal(wrong.code, 2);
  assert.match(
    wrong.stderr,
    /"team\/web" is neither an address nor a folder.*git@github\.com:team\/web\.git/,
  );
  await mkdir(join(cwd, 'team/web'), {recursive: true});
  assert.equal((await supervisorCommand(['init', '--repository', 'team/web'], {cwd})).code, 0);
  const text = await readFile(join(cwd, 'WORKFLOW.md'), 'utf8');
  assert.ok(text.includes(`git clone --quiet -- ${cwd}/team/web .`), text);
});

test("an address of Linear's own is as good as the slug in it", async () => {
  await using folder = await aFolder();
  const cwd = folder.path;
  const address = 'https://linear.app/acme/project/web-0c79b11b75ea/overview';
  const args = ['init', '--tracker', 'linear', '--project', address];
  assert.equal((await supervisorCommand(args, {cwd})).code, 0);
  assert.match(await readFile(join(cwd, 'WORKFLOW.md'), 'utf8'), /project_slug: web-0c79b11b75ea /);
});
