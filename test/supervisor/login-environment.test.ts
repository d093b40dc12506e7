import assert from 'node:assert/strict';
import {appendFile, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {AgentPuppet} from '@symphony-supervisor/scripts/puppet';
import {aProject, SupervisorRig} from '../rig/supervisor.ts';
import {until} from '../rig/survivors.ts';

/** Notes each time that it is read. */
const PROFILE = `
echo read >> "$HOME/readings"
export FROM_PROFILE=1 SSH_AUTH_SOCK=/run/agent PROFILE_TOKEN=abc123def456
`;

async function readings(home: string): Promise<number> {
  const text = await readFile(join(home, 'readings'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

test('the profile is read once for the check, the hooks and the agent of every run, again on SIGHUP and for a new workflow file', async () => {
  await using puppet = await AgentPuppet.listen();
  const hooks = {before_run: 'env > "../../hook-$SYMPHONY_ISSUE_IDENTIFIER"'};
  const settings = {hooks, agent: {env: ['FROM_PROFILE']}};
  await using folder = await aProject(puppet.command, ['T-1', 'T-2'], settings);
  await writeFile(join(folder.path, '.profile'), PROFILE);
  await using supervisor = new SupervisorRig(folder.path);
  for (const turn of [await puppet.nextTurn(), await puppet.nextTurn()]) {
    const environ = await readFile(`/proc/${turn.agent.pid}/environ`, 'utf8');
    assert.ok(environ.split('\0').includes('FROM_PROFILE=1'), environ);
    assert.doesNotMatch(environ, /PROFILE_TOKEN|SSH_AUTH_SOCK/, 'not on the list of the agent');
  }
  for (const issue of ['T-1', 'T-2']) {
    const seen = await readFile(join(folder.path, `hook-${issue}`), 'utf8');
    assert.match(seen, /^PROFILE_TOKEN=abc123def456$/m);
  }
  assert.equal(await readings(folder.path), 1);
  const {login} = (await supervisor.shows('the login', (shown) => shown.supervisor.login !== null))
    .supervisor;
  assert.equal(login?.profile, join(folder.path, '.profile'));
  assert.equal(login?.problem, null);

  supervisor.process.kill('SIGHUP');
  assert.ok(await until(async () => ((await readings(folder.path)) === 2 ? true : null)));
  await appendFile(join(folder.path, 'WORKFLOW.md'), 'Be quick.\n');
  assert.ok(await until(async () => ((await readings(folder.path)) === 3 ? true : null)));
  supervisor.process.kill('SIGTERM');
  assert.deepEqual(await supervisor.exited, {code: 0, signal: null});
  const log = JSON.stringify(supervisor.log);
  assert.match(log, /login\.read/);
  assert.doesNotMatch(log, /abc123def456/, 'nothing of the environment is logged');
  const store = await readFile(join(folder.path, '.symphony/symphony.db'), 'latin1');
  assert.doesNotMatch(store, /abc123def456/, 'nor stored');
});

test('a profile that fails is a warning with its name, and work goes on', async () => {
  await using puppet = await AgentPuppet.listen();
  await using folder = await aProject(puppet.command, ['T-1']);
  await writeFile(join(folder.path, '.profile'), 'exit 3\n');
  await using supervisor = new SupervisorRig(folder.path);
  await puppet.nextTurn();
  await supervisor.logged('login.failed');
  const line = supervisor.log.find(({event}) => event === 'login.failed');
  assert.match(
    line?.reason ?? '',
    /\.profile\) could not be read .* exit code 3 .* supervisor's environment/,
  );
});

test('a supervisor that ends during the check of the agent waits for it, and calls it no error', async () => {
  await using folder = await aProject('touch "$HOME/begun"; sleep 600', []);
  await using supervisor = new SupervisorRig(folder.path);
  const begun = await until(async () =>
    readFile(join(folder.path, 'begun')).then(
      () => true,
      () => null,
    ),
  );
  assert.ok(begun);
  supervisor.process.kill('SIGTERM');
  assert.deepEqual(await supervisor.exited, {code: 0, signal: null});
  assert.deepEqual(
    supervisor.log.filter((line) => 'level' in line && line.level === 'error'),
    [],
  );
});
