import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {type HostRules, RunnerRig} from '../rig/runner.ts';

const REPOSITORY = [
  'git init -q . && git config user.email a@example.test && git config user.name A',
  'echo one > tracked; echo ignored > .gitignore; git add -A; git commit -qm one',
].join('\n');

/** What one turn that runs `script` leaves as evidence. */
async function evidenceOf(script: string, afterCreate: string | null, rules: HostRules = {}) {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = anAttempt(folder.path, {
    agent: {command: puppet.command},
    hooks: {
      after_create: afterCreate,
      before_run: 'echo run >> before',
      after_run: 'echo >> after',
    },
  });
  await using runner = new RunnerRig(job, rules);
  const turn = await puppet.nextTurn();
  const {exitCode, output} = await turn.runs(script);
  assert.equal(exitCode, 0, output);
  await turn.completes();
  return (await runner.result()).evidence;
}

test('a run that changed nothing is idle', async (t) => {
  const scripts: [string, string, string | null][] = [
    ['only looked', 'cat tracked; git status; git log', REPOSITORY],
    ['wrote what is ignored', 'echo x > ignored', REPOSITORY],
    ['touched a file', 'touch tracked; git status', REPOSITORY],
    ['put things back', 'mv tracked t; git status; mv t tracked', REPOSITORY],
    ['looked around without git', 'ls -la', null],
    [
      'found folders that cannot be looked into',
      'ls -la',
      'DEEP=$(printf "%0100d" 0); for i in $(seq 60); do mkdir "$DEEP" && cd -P "$DEEP"; done',
    ],
  ];
  for (const [what, script, afterCreate] of scripts) {
    await t.test(what, async () => {
      assert.deepEqual(await evidenceOf(script, afterCreate), {
        workspace_changed: false,
        issue_changed: false,
        tools_wrote: false,
      });
    });
  }
});

test('any change of the workspace is seen', async (t) => {
  const scripts: [string, string, string | null][] = [
    ['a tracked file', 'echo two > tracked', REPOSITORY],
    ['a new file', 'echo two > fresh', REPOSITORY],
    ['more of a file that was new before', 'echo two >> before', REPOSITORY],
    ['a commit', 'git commit -q --allow-empty -m two', REPOSITORY],
    ['the index', 'git rm -q --cached tracked', REPOSITORY],
    ['a mode', 'chmod +x tracked', REPOSITORY],
    [
      'a new branch',
      'git checkout -q -b other; echo x > x; git add x; git commit -qm x',
      REPOSITORY,
    ],
    ['a file without git', 'mkdir -p a/b; echo x > a/b/c', null],
    ['the first repository', 'git init -q .', null],
  ];
  for (const [what, script, afterCreate] of scripts) {
    await t.test(what, async () => {
      const evidence = await evidenceOf(script, afterCreate);
      assert.equal(evidence?.workspace_changed, true);
    });
  }
});

test('a change of state or labels of the issue is seen', async () => {
  const read = (fields: Parameters<typeof anIssue>[0]): HostRules => ({
    readIssue: () => ({issue: anIssue(fields), go_on: false}),
  });
  const table: [HostRules, boolean][] = [
    [read({state: ' in progress '}), false],
    [read({state: 'Done'}), true],
    [read({labels: ['new']}), true],
    [read({description: 'Something else'}), false],
    [{readIssue: () => ({issue: null, go_on: false})}, true],
  ];
  for (const [rules, expected] of table) {
    assert.equal((await evidenceOf('true', null, rules))?.issue_changed, expected);
  }
});

test('taking evidence runs nothing that an agent has configured in the repository', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const trap = join(folder.path, 'sprung');
  const job = anAttempt(folder.path, {
    agent: {command: puppet.command},
    hooks: {after_create: REPOSITORY},
  });
  await using runner = new RunnerRig(job);
  const turn = await puppet.nextTurn();
  const program = `touch '${trap}'; cat`;
  await turn.edits('.gitattributes', '* filter=evil diff=evil\n');
  for (const key of [
    ...['core.fsmonitor', 'filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process'],
    ...[
      'diff.evil.command',
      'diff.evil.textconv',
      'diff.external',
      'core.sshCommand',
      'core.pager',
    ],
  ]) {
    await turn.runs(`git config ${key} "${program}"`);
  }
  await turn.runs(
    `printf '#!/bin/sh\\n${program.replaceAll("'", '')}\\n' > .git/hooks/post-index-change`,
  );
  await turn.runs('chmod +x .git/hooks/post-index-change; echo changed > tracked');
  await turn.completes();
  const {evidence} = await runner.result();
  assert.equal(evidence?.workspace_changed, true);
  await assert.rejects(readFile(trap), {code: 'ENOENT'});
});
