import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, reaches, SupervisorRig} from '../rig/supervisor.ts';
import {supervisorCommand} from '../rig/supervisor-command.ts';

const DELIVER =
  'echo delivered >> ../../deliveries; ' +
  'test ! -e ../../broken || { echo no way >&2; exit 1; }; ' +
  'echo pr=https://example.test/1 >> "$SYMPHONY_OUTPUT"';
const TRACKER = {
  kind: 'file',
  active_states: ['Todo'],
  terminal_states: ['Done'],
  handoff_state: 'In Review',
};

function settings(agent: Record<string, unknown> = {}) {
  return {
    tracker: TRACKER,
    hooks: {deliver: DELIVER},
    agent: {max_retry_backoff_ms: 200, max_idle_turns: 1, ...agent},
  };
}

/** One run that makes a file. */
async function works(puppet: AgentPuppet): Promise<void> {
  const turn = await puppet.nextTurn();
  assert.equal((await turn.runs('echo work > work')).exitCode, 0);
  await turn.callsTool('submit_work', {summary: 'done'});
  await turn.completes();
}

test('an issue is handed off after its delivery, which is repeated without an agent', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(
    puppet.command,
    ['T-1'],
    settings({max_consecutive_failures: 0}),
  );
  const broken = join(folder.path, 'broken');
  await writeFile(broken, '');
  await using supervisor = new SupervisorRig(folder.path);
  await works(puppet);
  const shown = await supervisor.shows('a repeated delivery', ({retrying}) =>
    retrying.some(({kind, attempt}) => kind === 'delivery' && (attempt ?? 0) > 1),
  );
  assert.equal(shown.supervisor.slots.used, 0);
  assert.match(shown.retrying[0]?.error ?? '', /^delivery_failed: deliver ended .* no way$/);
  const command = (...args: string[]) => supervisorCommand(args, {cwd: folder.path});
  assert.match((await command('history', 'T-1')).stdout, /delivery_failed/);
  // Killed at any moment, it goes on delivering.
  await supervisor.kill();
  const before = (await readFile(join(folder.path, 'deliveries'), 'utf8')).length;
  await using next = new SupervisorRig(folder.path);
  await next.shows('a delivery of the next life', ({retrying}) =>
    retrying.some(({kind}) => kind === 'delivery'),
  );
  assert.match(await readFile(join(folder.path, 'issues/T-1.md'), 'utf8'), /state: Todo/);
  await rm(broken);
  await reaches(folder.path, 'T-1', 'In Review');
  assert.ok((await readFile(join(folder.path, 'deliveries'), 'utf8')).length > before);
  const [run, ...others] = JSON.parse((await command('history', 'T-1', '--json')).stdout);
  assert.deepEqual([run.outcome, run.failure], ['succeeded', null]);
  assert.deepEqual(run.links, [{name: 'pr', url: 'https://example.test/1'}]);
  assert.deepEqual(others, [], 'no other run was needed');
});

test('a delivery that fails too often is held, and a retry delivers again', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(
    puppet.command,
    ['T-1'],
    settings({max_consecutive_failures: 2}),
  );
  const broken = join(folder.path, 'broken');
  await writeFile(broken, '');
  await using supervisor = new SupervisorRig(folder.path);
  await works(puppet);
  const {held} = await supervisor.shows('it held', (snapshot) => snapshot.held.length > 0);
  assert.equal(held[0]?.reason, 'delivery_failed');
  await rm(broken);
  const retried = await supervisorCommand(['retry', 'T-1'], {cwd: folder.path});
  assert.equal(retried.code, 0, retried.stderr);
  await reaches(folder.path, 'T-1', 'In Review');
});

test('an issue that its agent has closed is not reopened: its workspace is kept', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(
    puppet.command,
    ['T-1'],
    settings({max_consecutive_failures: 2}),
  );
  await writeFile(join(folder.path, 'broken'), '');
  await using supervisor = new SupervisorRig(folder.path);
  const turn = await puppet.nextTurn();
  assert.equal((await turn.runs('echo work > work')).exitCode, 0);
  await turn.callsTool('update_issue', {state: 'Done'});
  await turn.completes();
  const {kept} = await supervisor.shows('it kept', (snapshot) => snapshot.kept.length > 0);
  assert.match(kept[0]?.reason ?? '', /^delivery failed/);
  assert.ok(existsSync(join(folder.path, 'workspaces/T-1/work')));
  assert.match(await readFile(join(folder.path, 'issues/T-1.md'), 'utf8'), /state: Done/);
});
