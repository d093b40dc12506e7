import assert from 'node:assert/strict';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

const REPOSITORY = `git init -q -b main . && git config user.email a@example.test && git config user.name A
  printf 'one\\ntwo\\n' > file; git add -A; git commit -qm one`;

async function resultOf(script: string, hooks: Parameters<typeof anAttempt>[1] = {}) {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const agent = {command: puppet.command};
  await using runner = new RunnerRig(anAttempt(folder.path, {agent, ...hooks}));
  const turn = await puppet.nextTurn();
  const {exitCode, output} = await turn.runs(script);
  assert.equal(exitCode, 0, output);
  await turn.completes();
  const result = await runner.result();
  assert.deepEqual(await readdir(join(folder.path, 'ws/.symphony/tmp')), [], 'nothing is left');
  return result;
}

test('the result says what a run made: branch, head, commits, files and lines', async () => {
  const hooks = {hooks: {after_create: REPOSITORY}};
  const script = `git checkout -qb agent; printf 'one\\nthree\\nfour\\n' > file; git commit -qam two
    echo x > other; git add other; git commit -qm three; echo dirty >> other; echo new > untracked`;
  const {made} = await resultOf(script, hooks);
  assert.match(made?.head ?? '', /^[0-9a-f]{40}$/);
  assert.deepEqual(
    {...made, head: ''},
    {branch: 'agent', head: '', commits: 2, files: 2, lines_added: 4, lines_removed: 1},
  );
  const idle = await resultOf('git log', hooks);
  assert.deepEqual([idle.made?.commits, idle.made?.files, idle.made?.branch], [0, 0, 'main']);
});

test('the first commits of a fresh repository count, and a folder without git has nothing to tell', async () => {
  const hooks = {hooks: {after_create: 'git init -q -b main'}};
  const commit = `git config user.email a@example.test; git config user.name A; echo x > x; git add x; git commit -qm x`;
  const {made} = await resultOf(commit, hooks);
  assert.deepEqual([made?.commits, made?.files, made?.lines_added], [1, 1, 1]);
  assert.equal((await resultOf('echo x > x')).made, null);
});

test('links that hooks report are kept, and nothing else that stands in the file', async () => {
  const before_run = `echo "ci=https://ci.example.test/1" >> "$SYMPHONY_OUTPUT"`;
  const after_run = `{ echo "pr=https://example.test/pull/1"; echo "ci=http://ci.example.test/2"
    echo "bad=javascript:alert(1)"; echo "file=file:///etc/passwd"; echo "no address"; echo "x=https://"
    echo "$(head -c 50 /dev/zero | tr '\\0' a)=https://example.test/"
    echo "long=https://example.test/$(head -c 3000 /dev/zero | tr '\\0' a)"
    for i in $(seq 30); do echo "l$i=https://example.test/$i"; done; } >> "$SYMPHONY_OUTPUT"`;
  const {links} = await resultOf('test -z "$SYMPHONY_OUTPUT"', {hooks: {before_run, after_run}});
  assert.equal(links.length, 20);
  assert.deepEqual(links.slice(0, 3), [
    {name: 'ci', url: 'http://ci.example.test/2'},
    {name: 'pr', url: 'https://example.test/pull/1'},
    {name: 'l1', url: 'https://example.test/1'},
  ]);
});

test('nothing is read from an output file that is replaced, removed or huge', async () => {
  const link = 'echo "pr=https://example.test/pull/1"';
  for (const after_run of [
    'rm "$SYMPHONY_OUTPUT"; mkfifo "$SYMPHONY_OUTPUT"',
    `${link} > elsewhere; ln -sf "$PWD/elsewhere" "$SYMPHONY_OUTPUT"`,
    'rm "$SYMPHONY_OUTPUT"',
    `{ ${link}; head -c 5000000 /dev/zero; } > "$SYMPHONY_OUTPUT"`,
  ]) {
    const {links, outcome} = await resultOf('true', {hooks: {after_run}});
    assert.deepEqual(links, []);
    assert.equal(outcome, 'succeeded');
  }
});
