import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {aTrap, repositories} from './repositories.ts';
import {sshRemote, withSshd} from './ssh-remote.ts';

test("a push and a fetch go over ssh with the operator's keys", withSshd, async (t) => {
  await using repos = await repositories();
  await using ssh = await sshRemote(repos.path);
  const head = await repos.commit('work');
  const trap = await aTrap(join(repos.path, 'trap'));
  repos.git('config', 'core.sshCommand', trap.path);
  const remote = {url: `${ssh.url}${repos.origin}`, push_with: 'git'} as const;

  await t.test('keys that the remote does not know are refused', async () => {
    const environment = {...repos.env, GIT_SSH_COMMAND: ssh.strangerCommand};
    const outcome = await repos.push({}, remote, {environment});
    assert.ok(outcome.is === 'refused');
    assert.equal(outcome.kind, 'credential_refused', outcome.message);
  });
  await t.test('by the global configuration', async () => {
    repos.gitIn(repos.home, 'config', '--global', 'core.sshCommand', ssh.command);
    assert.deepEqual(await repos.push({}, remote), {is: 'pushed', head});
    assert.equal(repos.onRemote(), head);
    repos.gitIn(repos.home, 'config', '--global', '--unset', 'core.sshCommand');
  });
  await t.test('by the environment', async () => {
    const environment = {...repos.env, GIT_SSH_COMMAND: ssh.command};
    const base = await repos.commitElsewhere('main', 'newer');
    const fetched = await repos.fetch(remote, {environment});
    assert.ok(fetched.is === 'fetched', JSON.stringify(fetched));
    assert.deepEqual([fetched.base.commit, fetched.head?.commit], [base, head]);
  });
  await t.test('a host that is not known is not asked about', async () => {
    const outcome = await repos.push({}, remote);
    assert.ok(outcome.is === 'refused');
    assert.equal(outcome.kind, 'remote_unreachable', outcome.message);
    assert.match(outcome.message, /Host key verification failed/);
  });
  assert.equal(trap.hasRun(), false);
});
