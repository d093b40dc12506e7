import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import type {AttemptJob} from '@symphony-supervisor/protocol';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aFolder} from '../rig/fixtures/folder.ts';
import {aCleaning, aDelivery, anAttempt, aWorkspace} from '../rig/fixtures/job.ts';
import {RunnerRig} from '../rig/runner.ts';

const run = promisify(execFile);
const AUTHOR = 'git config user.email a@example.test && git config user.name A';
const COMMIT = `${AUTHOR} && echo work > work.txt && git add work.txt && git commit -qm work`;
const REPOSITORY = `git init -q && ${AUTHOR} && git commit -q --allow-empty -m start`;
/** Counts its runs, and fails while a file says so. */
const DELIVER = 'echo delivered >> ../../deliveries; ! test -e ../../broken';

type Hooks = Partial<AttemptJob['hooks']>;

/** One run whose agent does this. */
async function agentRuns(folder: string, script: string, hooks: Hooks = {}) {
  await using puppet = await AgentPuppet.listen();
  const given = {after_create: REPOSITORY, deliver: DELIVER, ...hooks};
  const job = anAttempt(folder, {agent: {command: puppet.command}, hooks: given});
  await using runner = new RunnerRig(job);
  const turn = await puppet.nextTurn();
  const {exitCode, output} = await turn.runs(script);
  assert.equal(exitCode, 0, output);
  await turn.completes();
  return await runner.result();
}

async function delivers(folder: string, hooks: Hooks = {deliver: DELIVER}) {
  await using runner = new RunnerRig(aDelivery(folder, {hooks}));
  const {failure, links} = await runner.heard('delivered');
  await runner.exited;
  return {failure, links};
}

async function cleans(folder: string) {
  const workspaces = [{...aWorkspace(folder), keep_work: true}];
  await using runner = new RunnerRig(aCleaning(folder, {workspaces}));
  const {outcomes} = await runner.heard('cleaned');
  await runner.exited;
  return outcomes[0];
}

async function deliveries(folder: string): Promise<number> {
  const log = await readFile(join(folder, 'deliveries'), 'utf8').catch(() => '');
  return log.split('\n').filter((line) => line !== '').length;
}

test('deliver comes after after_run of a clean run, in the workspace, and reports results', async () => {
  await using folder = await aFolder();
  const log = join(folder.path, 'log');
  const note = (hook: string) => `echo ${hook} "$PWD" "$SYMPHONY_ISSUE_IDENTIFIER" >> '${log}'`;
  const result = await agentRuns(folder.path, COMMIT, {
    after_run: note('after_run'),
    deliver: `${note('deliver')}; echo pr=https://example.test/1 >> "$SYMPHONY_OUTPUT"`,
  });
  assert.equal(result.outcome, 'succeeded');
  assert.deepEqual(result.links, [{name: 'pr', url: 'https://example.test/1'}]);
  const workspace = join(folder.path, 'ws/ABC-1');
  assert.equal(
    await readFile(log, 'utf8'),
    `after_run ${workspace} ABC-1\ndeliver ${workspace} ABC-1\n`,
  );
});

test('a delivery that fails fails the run, with its last words', async () => {
  await using folder = await aFolder();
  const result = await agentRuns(folder.path, COMMIT, {deliver: 'echo no way >&2; exit 3'});
  assert.equal(result.outcome, 'failed');
  assert.deepEqual(result.failure, {
    code: 'delivery_failed',
    message: 'deliver ended with exit code 3: no way',
  });
  // The agent did its work all the same.
  assert.equal(result.evidence?.workspace_changed, true);
  assert.equal(result.made?.commits, 1);
});

test('a delivery that takes too long fails the run', async () => {
  await using folder = await aFolder();
  const hooks = {after_create: null, deliver: 'exec sleep 60', timeout_ms: 500};
  const result = await agentRuns(folder.path, 'echo work > work.txt', hooks);
  assert.deepEqual(result.failure, {
    code: 'delivery_failed',
    message: 'deliver took longer than 500 ms',
  });
});

const SAME: readonly (readonly [what: string, script: string])[] = [
  ['nothing', 'true'],
  ['an ignored file', 'echo out > a.log'],
];
for (const [what, script] of SAME) {
  test(`a run that changed ${what} delivers nothing`, async () => {
    await using folder = await aFolder();
    const after_create = `${REPOSITORY} && echo '*.log' > .git/info/exclude && echo old > old.txt`;
    const result = await agentRuns(folder.path, script, {after_create});
    assert.equal(result.outcome, 'succeeded');
    assert.equal(await deliveries(folder.path), 0);
  });
}

test('work is delivered once, and again when HEAD or tree have changed since', async () => {
  await using folder = await aFolder();
  const more = 'git add -A && git commit -qm more';
  const counts: number[] = [];
  for (const script of [COMMIT, 'true', 'echo more > more.txt', 'true', more, 'true']) {
    assert.equal((await agentRuns(folder.path, script)).outcome, 'succeeded');
    counts.push(await deliveries(folder.path));
  }
  assert.deepEqual(counts, [1, 1, 2, 2, 3, 3]);
});

test('what a failed run left is delivered by the clean run after it, though that changed nothing', async () => {
  await using folder = await aFolder();
  await using puppet = await AgentPuppet.listen();
  const hooks = {after_create: REPOSITORY, deliver: DELIVER};
  const job = anAttempt(folder.path, {agent: {command: puppet.command}, hooks});
  {
    await using runner = new RunnerRig(job);
    const turn = await puppet.nextTurn();
    assert.equal((await turn.runs(COMMIT)).exitCode, 0);
    await turn.fails('no');
    assert.equal((await runner.result()).outcome, 'failed');
  }
  assert.equal(await deliveries(folder.path), 0);
  assert.equal((await agentRuns(folder.path, 'true')).outcome, 'succeeded');
  assert.equal(await deliveries(folder.path), 1);
});

test('a hook that commits what it delivers is not run again for its own commit', async () => {
  await using folder = await aFolder();
  const deliver = `${DELIVER} && git add -A && git commit -qm delivered`;
  await agentRuns(folder.path, 'echo work > work.txt', {deliver});
  await agentRuns(folder.path, 'true', {deliver});
  assert.equal(await deliveries(folder.path), 1);
});

test('without a repository the file tree tells', async () => {
  await using folder = await aFolder();
  const hooks = {after_create: 'echo one > one'};
  const counts: number[] = [];
  for (const script of ['true', 'echo two > two', 'true', 'rm two']) {
    assert.equal((await agentRuns(folder.path, script, hooks)).outcome, 'succeeded');
    counts.push(await deliveries(folder.path));
  }
  assert.deepEqual(counts, [0, 1, 1, 2]);
});

test('a failed delivery is repeated alone, until it succeeds; then there is nothing left to do', async () => {
  await using folder = await aFolder();
  const broken = join(folder.path, 'broken');
  await writeFile(broken, '');
  assert.equal((await agentRuns(folder.path, COMMIT)).failure?.code, 'delivery_failed');
  assert.equal((await delivers(folder.path)).failure?.code, 'delivery_failed');
  await rm(broken);
  const deliver = `${DELIVER} && echo pr=https://example.test/1 >> "$SYMPHONY_OUTPUT"`;
  assert.deepEqual(await delivers(folder.path, {deliver}), {
    failure: null,
    links: [{name: 'pr', url: 'https://example.test/1'}],
  });
  assert.equal(await deliveries(folder.path), 3);
  assert.equal((await delivers(folder.path)).failure, null);
  assert.equal(await deliveries(folder.path), 3);
});

test('a workspace that is gone cannot be delivered, and a busy one is not entered', async () => {
  await using folder = await aFolder();
  await agentRuns(folder.path, 'true');
  await using puppet = await AgentPuppet.listen();
  {
    await using holder = new RunnerRig(
      anAttempt(folder.path, {agent: {command: puppet.command}, hooks: {after_create: null}}),
    );
    await puppet.nextTurn();
    assert.equal((await delivers(folder.path)).failure?.code, 'workspace_busy');
    holder.process.kill('SIGKILL');
    await holder.exited;
  }
  await rm(join(folder.path, 'ws/ABC-1'), {recursive: true});
  const {failure} = await delivers(folder.path);
  assert.equal(failure?.code, 'delivery_failed');
  assert.match(failure.message, /ABC-1 is gone$/);
});

test('a stop does not cut a delivery short, a shutdown does, and it is left to do', async () => {
  for (const withinMs of [undefined, 2000]) {
    await using folder = await aFolder();
    await using puppet = await AgentPuppet.listen();
    const deliver = 'touch ../../begun; until test -e ../../go; do sleep 0.05; done';
    const hooks = {after_create: REPOSITORY, deliver};
    const job = anAttempt(folder.path, {agent: {command: puppet.command}, hooks});
    await using runner = new RunnerRig(job);
    const turn = await puppet.nextTurn();
    assert.equal((await turn.runs(COMMIT)).exitCode, 0);
    await turn.completes();
    await runner.heard('hook_started', ({hook}) => hook === 'deliver');
    runner.stop(withinMs === undefined ? 'canceled_by_reconciliation' : 'interrupted', withinMs);
    if (withinMs === undefined) await writeFile(join(folder.path, 'go'), '');
    const {failure} = await runner.result();
    assert.equal(failure?.code, withinMs === undefined ? undefined : 'delivery_failed');
  }
});

test('deliver that ended well is proof: the look before cleaning finds nothing left', async () => {
  await using folder = await aFolder();
  await agentRuns(folder.path, COMMIT);
  assert.deepEqual(await cleans(folder.path), {is: 'removed'});
  assert.equal(existsSync(join(folder.path, 'ws/ABC-1')), false);
});

test('after a failed delivery the workspace is kept, whatever the remote has', async () => {
  await using folder = await aFolder();
  const origin = join(folder.path, 'origin.git');
  await run('git', ['init', '-q', '--bare', origin]);
  const after_create = `git clone -q '${origin}' . 2>/dev/null; ${AUTHOR}`;
  const deliver = 'git push -q origin HEAD:refs/heads/work && exit 1';
  await agentRuns(folder.path, COMMIT, {after_create, deliver});
  assert.deepEqual(await cleans(folder.path), {is: 'kept', reason: 'delivery failed'});
  await agentRuns(folder.path, 'echo more > more.txt', {deliver: 'exit 1'});
  assert.deepEqual(await cleans(folder.path), {
    is: 'kept',
    reason: 'delivery failed, 1 file not committed',
  });
});
