import assert from 'node:assert/strict';
import {chmod, mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {anIssue} from '../rig/fixtures/issue.ts';
import {aCleaning, aFinishing, anAttempt} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

const COMPLETES = ['--script-json', '[[{"say":"ok"}]]'];

async function attempt(folder: string, fields: Parameters<typeof anAttempt>[1] = {}) {
  await using puppet = await AgentPuppet.listen({args: COMPLETES});
  const agent = {command: puppet.command, ...fields.agent};
  await using runner = new RunnerRig(anAttempt(folder, {...fields, agent}));
  return await runner.result();
}

async function clean(folder: string, fields: Parameters<typeof aCleaning>[1] = {}) {
  await using runner = new RunnerRig(aCleaning(folder, fields));
  const {outcomes} = await runner.heard('cleaned');
  await runner.exited;
  assert.equal(outcomes.length, 1);
  return outcomes[0]?.is === 'failed' ? outcomes[0].failure : null;
}

test('a link or a file where the workspace should be is refused, and never followed', async () => {
  await using folder = await aFolder();
  const target = join(folder.path, 'precious');
  await mkdir(target);
  await writeFile(join(target, 'file'), 'keep me');
  await mkdir(join(folder.path, 'ws'));
  const path = join(folder.path, 'ws/ABC-1');

  await symlink(target, path);
  assert.equal((await attempt(folder.path)).failure?.code, 'invalid_workspace_cwd');
  assert.equal((await clean(folder.path))?.code, 'invalid_workspace_cwd');
  await rm(path);
  await writeFile(path, 'a file');
  assert.equal((await attempt(folder.path)).failure?.code, 'invalid_workspace_cwd');
  assert.equal((await clean(folder.path))?.code, 'invalid_workspace_cwd');
  assert.equal(await readFile(join(target, 'file'), 'utf8'), 'keep me');
});

test('a workspace that before_run swaps for a link starts no agent, wherever the link leads', async () => {
  for (const target of ['elsewhere', 'ws/another']) {
    await using folder = await aFolder();
    await mkdir(join(folder.path, target), {recursive: true});
    const swap = `cd ..; mv ABC-1 moved; ln -s '${folder.path}/${target}' ABC-1`;
    const result = await attempt(folder.path, {hooks: {before_run: swap}});
    assert.equal(result.failure?.code, 'invalid_workspace_cwd', target);
    assert.equal(result.turns, 0);
  }
});

test('a workspace that the agent swaps for a link: nothing of ours works behind it', async () => {
  await using folder = await aFolder();
  const elsewhere = join(folder.path, 'elsewhere');
  await mkdir(join(elsewhere, '.codex'), {recursive: true});
  const swap = `cd ..; mv ABC-1 moved; ln -s '${elsewhere}' ABC-1`;
  await using puppet = await AgentPuppet.listen({
    args: ['--script-json', JSON.stringify([[{run: swap}]])],
  });
  const fields = {agent: {command: puppet.command}, hooks: {after_run: 'touch ran'}};
  await using runner = new RunnerRig(anAttempt(folder.path, fields));
  await runner.result();
  assert.deepEqual(await readdir(elsewhere), ['.codex']);
  assert.match(runner.all('note').at(-1)?.message ?? '', /is not safe to use/);
});

test('hostile identifiers stay inside the root', async () => {
  for (const identifier of ['../../evil', '..', '/etc', 'a/b', '.symphony']) {
    await using folder = await aFolder();
    const result = await attempt(folder.path, {issue: anIssue({identifier})});
    assert.equal(result.outcome, 'succeeded', identifier);
    assert.deepEqual((await readdir(folder.path)).toSorted(), ['runs', 'ws']);
    assert.equal((await readdir(join(folder.path, 'ws'))).length, 2);
  }
});

test('two runs never share a workspace: the second finds it busy', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  await using first = new RunnerRig(anAttempt(folder.path, {agent: {command: puppet.command}}));
  const turn = await puppet.nextTurn();
  const busy = await attempt(folder.path);
  assert.equal(busy.failure?.code, 'workspace_busy');
  assert.match(busy.failure?.message ?? '', new RegExp(`process ${first.pid} `));
  assert.equal((await clean(folder.path))?.code, 'workspace_busy');
  await turn.completes();
  await first.result();
  assert.equal((await attempt(folder.path)).outcome, 'succeeded');
});

test('of many that start at once, after a holder died, exactly one gets the workspace', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const job = () => anAttempt(folder.path, {agent: {command: puppet.command}});
  await using dead = new RunnerRig(job());
  await puppet.nextTurn();
  dead.process.kill('SIGKILL');
  await dead.exited;

  const rivals = Array.from({length: 6}, () => new RunnerRig(job()));
  const winner = await Promise.any(
    rivals.map(async (rival) => {
      await rival.heard('turn_started');
      return rival;
    }),
  );
  const turn = await puppet.nextTurn();
  const losers = rivals.filter((rival) => rival !== winner);
  for (const loser of losers) {
    assert.equal((await loser.result()).failure?.code, 'workspace_busy');
  }
  await turn.completes();
  assert.equal((await winner.result()).outcome, 'succeeded');
  assert.deepEqual(await readdir(join(folder.path, 'ws/.symphony/locks')), []);
});

test('a folder that belongs to a twin is refused, not shared', async () => {
  await using folder = await aFolder();
  assert.equal((await attempt(folder.path)).outcome, 'succeeded');
  // As on a disk that does not tell cases apart: the record of the one is found for the other.
  const owners = join(folder.path, 'ws/.symphony/owners');
  const record = await readFile(join(owners, 'ABC-1.json'), 'utf8');
  await writeFile(join(owners, 'ABC-1.json'), record.replace('ABC-1', 'abc-1'));
  const result = await attempt(folder.path);
  assert.equal(result.failure?.code, 'workspace_conflict');
  assert.match(result.failure?.message ?? '', /belongs to abc-1/);
  assert.equal((await clean(folder.path))?.code, 'workspace_conflict');
});

test('cleaning runs before_remove, deletes the workspace, and may come twice', async () => {
  await using folder = await aFolder();
  await attempt(folder.path, {hooks: {after_create: 'mkdir -p a/b; touch a/b/c; chmod 500 a/b a'}});
  const hooks = {before_remove: `pwd > '${folder.path}/removed'; exit 1`};
  assert.equal(await clean(folder.path, {hooks}), null);
  assert.equal(await readFile(join(folder.path, 'removed'), 'utf8'), `${folder.path}/ws/ABC-1\n`);
  assert.deepEqual(await readdir(join(folder.path, 'ws')), ['.symphony']);
  for (const name of ['owners', 'locks', 'trash', 'tmp', 'half-made']) {
    assert.deepEqual(await readdir(join(folder.path, 'ws/.symphony', name)), [], name);
  }
  assert.equal(await clean(folder.path, {hooks}), null);
});

test('cleaning does not follow links out of the workspace', async () => {
  await using folder = await aFolder();
  const target = join(folder.path, 'precious');
  await mkdir(target);
  await writeFile(join(target, 'file'), 'keep me');
  await chmod(target, 0o700);
  await attempt(folder.path, {hooks: {after_create: `ln -s '${target}' link`}});
  assert.equal(await clean(folder.path), null);
  assert.equal(await readFile(join(target, 'file'), 'utf8'), 'keep me');
});

test('finishing runs after_run in place of a runner that died', async () => {
  await using folder = await aFolder();
  await attempt(folder.path);
  const hooks = {after_run: `echo "$SYMPHONY_OUTCOME" > '${folder.path}/outcome'`};
  await using runner = new RunnerRig(aFinishing(folder.path, {hooks, outcome: 'interrupted'}));
  assert.equal((await runner.heard('finished')).failure, null);
  assert.equal(await readFile(join(folder.path, 'outcome'), 'utf8'), 'interrupted\n');
});

test('finishing in a place that can be no workspace is a failure', async () => {
  await using folder = await aFolder();
  const workspace_path = join(folder.path, 'ws', '.symphony');
  await using runner = new RunnerRig(aFinishing(folder.path, {workspace_path}));
  assert.equal((await runner.heard('finished')).failure?.code, 'invalid_workspace_cwd');
  assert.equal((await runner.exited).code, 0);
});

test('finishing what is already gone is a success', async () => {
  await using folder = await aFolder();
  await using runner = new RunnerRig(aFinishing(folder.path, {hooks: {after_run: 'exit 1'}}));
  assert.equal((await runner.heard('finished')).failure, null);
});
