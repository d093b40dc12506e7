import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {endProcesses} from '@symphony-supervisor/protocol/processes';
import {ending} from '../../../../../test/rig/ending.ts';
import {whatRemoteHas} from '../../../src/workspace/push/what-remote-has.ts';
import {httpRemote} from './http-remote.ts';
import {repositories} from './repositories.ts';

const onLinux = {skip: process.platform === 'linux' ? false : 'finds processes by /proc'};
const SCRIPT = fileURLToPath(new URL('push-once.ts', import.meta.url));

/** A runner that pushes; it is killed, and git with it, when the remote is at the given moment. */
async function aKilledPush(moment: 'before' | 'after', times: number) {
  const repos = await repositories();
  const head = await repos.commit('work');
  let kill: (() => Promise<void>) | null = null;
  const forge = await httpRemote(repos.path, {
    [moment]: async ({url = ''}: {url?: string}) => {
      if (!url.endsWith('/git-receive-pack') || kill === null) return;
      await kill();
      // git is gone; what it has sent so far is not used.
      if (moment === 'before') throw new Error('the client has gone');
    },
  });
  const remote = {url: `${forge.url}/origin.git`, push_with: 'git'} as const;
  for (let time = 0; time < times; time++) {
    const runId = randomUUID();
    const {repository, order, env: environment, scratch} = repos;
    const what = JSON.stringify({runId, repository, remote, order, environment, scratch});
    const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, what], {stdio: 'inherit'});
    await using _end = ending(child, `SYMPHONY_RUN_ID=${runId}`);
    const exited = once(child, 'exit');
    kill = async () => {
      kill = null;
      child.kill('SIGKILL');
      await exited;
      // As a supervisor does with what a dead runner has left.
      const markers = [`SYMPHONY_RUN_ID=${runId}`];
      await endProcesses({roots: [], markers, except: [process.pid]}, 0);
    };
    const [, signal] = await exited;
    // Of a push that had arrived before, the next one has nothing to do, and ends by itself.
    assert.equal(signal, moment === 'after' && time > 0 ? null : 'SIGKILL');
  }
  kill = null;
  return {
    ...{repos, head, remote},
    [Symbol.asyncDispose]: async () => {
      await forge[Symbol.asyncDispose]();
      await repos[Symbol.asyncDispose]();
    },
  };
}

test(
  'killed twice before the remote has the commit, the next push delivers it',
  onLinux,
  async () => {
    await using killed = await aKilledPush('before', 2);
    const {repos, head, remote} = killed;
    const had = await whatRemoteHas(remote, repos.tools);
    assert.ok(had.is === 'answered');
    assert.equal(had.branches.has(repos.order.branch), false);
    assert.deepEqual(await repos.push({}, remote), {is: 'pushed', head});
    assert.equal(repos.onRemote(), head);
  },
);

test('killed after the remote has the commit, the next push finds it there', onLinux, async () => {
  await using killed = await aKilledPush('after', 2);
  const {repos, head, remote} = killed;
  const had = await whatRemoteHas(remote, repos.tools);
  assert.ok(had.is === 'answered');
  assert.equal(had.branches.get(repos.order.branch), head);
  assert.deepEqual(await repos.push({}, remote), {is: 'up_to_date', head});
});
