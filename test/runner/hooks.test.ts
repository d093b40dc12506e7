import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {access, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

const COMPLETES = ['--script-json', '[[{"say":"ok"}]]'];

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

test('hooks run in order, in the workspace, and hear of the run', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: COMPLETES});
  const log = join(folder.path, 'log');
  const note = (hook: string) => `echo ${hook} "$PWD" "$SYMPHONY_OUTCOME" >> '${log}'`;
  const variables = join(folder.path, 'variables');
  const job = anAttempt(folder.path, {
    agent: {command: puppet.command},
    attempt: 2,
    issue: anIssue({url: 'https://example.test/ABC-1', title: `It's "quoted"\n\0`}),
    hooks: {
      after_create: note('after_create'),
      before_run: `${note('before_run')}; env | grep ^SYMPHONY_ > '${variables}'`,
      after_run: note('after_run'),
      before_remove: note('before_remove'),
    },
  });
  await using runner = new RunnerRig(job);
  assert.equal((await runner.result()).outcome, 'succeeded');
  const workspace = join(job.workspace_root, 'ABC-1');
  assert.equal(
    await readFile(log, 'utf8'),
    `after_create ${workspace} \nbefore_run ${workspace} \nafter_run ${workspace} succeeded\n`,
  );
  const told = await readFile(variables, 'utf8');
  for (const line of [
    'SYMPHONY_ISSUE_ID=id-1',
    'SYMPHONY_ISSUE_IDENTIFIER=ABC-1',
    `SYMPHONY_ISSUE_TITLE=It's "quoted"`,
    'SYMPHONY_ISSUE_STATE=In Progress',
    'SYMPHONY_ISSUE_URL=https://example.test/ABC-1',
    `SYMPHONY_WORKSPACE=${workspace}`,
    'SYMPHONY_ATTEMPT=2',
    `SYMPHONY_RUN_ID=${job.run_id}`,
  ]) {
    assert.ok(told.includes(`${line}\n`), `${line} is missing in\n${told}`);
  }
});

test('a workspace is reused, and after_create runs only for a new one', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: COMPLETES});
  const hooks = {after_create: 'echo made >> made'};
  const job = () => anAttempt(folder.path, {agent: {command: puppet.command}, hooks});
  for (const created of [true, false]) {
    await using runner = new RunnerRig(job());
    assert.equal((await runner.result()).outcome, 'succeeded');
    assert.equal((await runner.heard('workspace')).created, created);
  }
  assert.equal(await readFile(join(folder.path, 'ws/ABC-1/made'), 'utf8'), 'made\n');
});

test('after_create that fails leaves no folder behind, and no after_run', async () => {
  await using folder = await aFolder();
  const hooks = {after_create: 'touch half; echo oops >&2; exit 7', after_run: 'touch ../ran'};
  await using runner = new RunnerRig(anAttempt(folder.path, {hooks}));
  const result = await runner.result();
  assert.equal(result.failure?.code, 'hook_failed');
  assert.equal(result.failure?.message, 'after_create ended with exit code 7: oops');
  assert.equal(await exists(join(folder.path, 'ws/ABC-1')), false);
  assert.equal(await exists(join(folder.path, 'ws/ran')), false);
});

test('after_create that was cut off by SIGKILL is made up for: the folder is made anew', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: COMPLETES});
  const agent = {command: puppet.command};
  await using first = new RunnerRig(
    anAttempt(folder.path, {agent, hooks: {after_create: 'touch half; sleep 1006'}}),
  );
  await first.heard('hook_started');
  const half = join(folder.path, 'ws/ABC-1/half');
  while (!(await exists(half))) await new Promise(setImmediate);
  first.process.kill('SIGKILL');
  await first.exited;

  const hooks = {after_create: 'touch whole'};
  await using second = new RunnerRig(anAttempt(folder.path, {agent, hooks}));
  assert.equal((await second.result()).outcome, 'succeeded');
  assert.equal((await second.heard('workspace')).created, true);
  assert.equal(await exists(half), false);
  assert.equal(await exists(join(folder.path, 'ws/ABC-1/whole')), true);
});

test('before_run that fails ends the attempt, and after_run still runs', async () => {
  await using folder = await aFolder();
  const hooks = {before_run: 'exit 3', after_run: 'echo $SYMPHONY_OUTCOME > outcome'};
  await using runner = new RunnerRig(anAttempt(folder.path, {hooks}));
  const result = await runner.result();
  assert.equal(result.failure?.code, 'hook_failed');
  assert.equal(await readFile(join(folder.path, 'ws/ABC-1/outcome'), 'utf8'), 'failed\n');
});

test('after_run that fails is a note, and changes no outcome', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: COMPLETES});
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, hooks: {after_run: 'exit 9'}}),
  );
  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.match((await runner.heard('note')).message, /after_run ended with exit code 9/);
});

test('a stop ends a hook at once', async () => {
  await using folder = await aFolder();
  const hooks = {before_run: 'sleep 1007', after_run: 'touch ../after'};
  await using runner = new RunnerRig(anAttempt(folder.path, {hooks}));
  await runner.heard('hook_started');
  runner.stop('canceled_by_reconciliation');
  const result = await runner.result();
  assert.equal(result.outcome, 'canceled_by_reconciliation');
  assert.equal(result.failure, null);
  assert.equal(await exists(join(folder.path, 'ws/after')), true);
});

test('after_run that is under way gets no more time than a stop leaves it', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: COMPLETES});
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, hooks: {after_run: 'sleep 1008'}}),
  );
  await runner.heard('hook_started', ({hook}) => hook === 'after_run');
  runner.stop('interrupted', 100);
  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.match((await runner.heard('note')).message, /after_run was aborted/);
});

test('a background process of a hook serves the agent, and ends with the run', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  // Writes all the time: it would die if nobody read its output any more.
  const server = '(while true; do echo tick; touch alive; sleep 0.05; done) &';
  await using runner = new RunnerRig(
    anAttempt(folder.path, {agent: {command: puppet.command}, hooks: {before_run: server}}),
  );
  const turn = await puppet.nextTurn();
  const seen = await turn.runs('rm -f alive; while [ ! -e alive ]; do sleep 0.02; done; echo seen');
  assert.match(seen.output, /seen/);
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
});

test('what a hook prints is in the transcript, and its end in the report', async () => {
  await using folder = await aFolder();
  const hooks = {before_run: `printf 'wide \\303\\251\\n'; seq 1 3000; echo last; exit 1`};
  const job = anAttempt(folder.path, {hooks});
  await using runner = new RunnerRig(job);
  await runner.result();
  const {output} = await runner.heard('hook_ended');
  assert.match(output, /2999\n3000\nlast\n$/);
  assert.ok(output.length <= 4096, `${output.length} characters`);
  const lines = (await readFile(job.transcript_path, 'utf8')).trim().split('\n');
  const texts = lines.map((line) => JSON.parse(line)).filter(({ev}) => ev === 'output');
  const text = texts.map((entry) => entry.text).join('');
  assert.match(text, /^wide é\n1\n2\n/);
  assert.match(text, /3000\nlast\n$/);
});

test('neither a hook nor an agent uses a repository that stands beside its workspace', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const root = join(folder.path, 'ws');
  const trap = join(root, '.git');
  const sprung = join(folder.path, 'sprung');
  await mkdir(trap, {recursive: true});
  execFileSync('git', ['init', '-q', '--bare', trap]);
  await writeFile(
    join(trap, 'config'),
    `[core]\nrepositoryformatversion = 0\nbare = false\nfsmonitor = "touch ${sprung}"\n`,
  );
  const look = 'git status; git rev-parse --git-dir';
  const looks = `${look}; true`;
  await using runner = new RunnerRig(
    anAttempt(folder.path, {
      agent: {command: puppet.command},
      hooks: {after_create: looks, before_run: looks, after_run: looks},
    }),
  );
  const turn = await puppet.nextTurn();
  const {exitCode, output} = await turn.runs(look);
  assert.equal(exitCode, 128, output);
  await turn.completes();
  assert.equal((await runner.result()).outcome, 'succeeded');
  assert.equal(await exists(sprung), false);
});

test('a workspace of a name that tools look for has another one, and code in it is found by no other', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen({args: COMPLETES});
  const attempt = (identifier: string, script: string) =>
    anAttempt(folder.path, {
      agent: {command: puppet.command},
      issue: anIssue({id: identifier, identifier}),
      hooks: {after_create: script},
    });
  const plant = `mkdir left-pad && echo 'module.exports = 1' > left-pad/index.js`;
  await using planter = new RunnerRig(attempt('node_modules', plant));
  assert.equal((await planter.result()).outcome, 'succeeded');
  const uses = `'${process.execPath}' -e 'require("left-pad")'`;
  await using user = new RunnerRig(attempt('ABC-1', uses));
  assert.equal((await user.result()).failure?.code, 'hook_failed');
});
