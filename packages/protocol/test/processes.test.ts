import assert from 'node:assert/strict';
import {type ChildProcess, spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {test} from 'node:test';
import {
  endProcesses,
  findProcesses,
  identify,
  isAlive,
  isNobodyLeft,
} from '../src/processes/index.ts';

const onLinux = {skip: process.platform === 'linux' ? false : 'reads /proc'};

/** A shell that says when its script has come to the end of what it starts. */
async function aShell(script: string, env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const child = spawn('bash', ['-c', `${script}\necho ready\nwait`], {
    env: {PATH: process.env.PATH, ...env},
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await once(child.stdout ?? child, 'data');
  return child;
}

function identityOf(child: ChildProcess) {
  const identity = identify(child.pid ?? -1);
  assert.ok(identity !== null);
  return identity;
}

test('a process is told apart from a later one with its number', async () => {
  const child = await aShell('sleep 1000 &');
  const identity = identityOf(child);
  assert.equal(isAlive(identity), true);
  assert.equal(isAlive({...identity, startedAt: 'another time'}), false);
  await endProcesses({roots: [identity], markers: [], except: []}, 0);
  assert.equal(isAlive(identity), false);
});

test('descent finds a child with an empty environment', onLinux, async () => {
  const child = await aShell('env -i sleep 1000 & setsid env -i sleep 1000 &');
  const query = {roots: [identityOf(child)], markers: [], except: []};
  assert.equal(findProcesses(query).length, 3);
  assert.deepEqual(await endProcesses(query, 0), []);
  assert.deepEqual(findProcesses(query), []);
});

test('the environment finds a child that has lost its parents', onLinux, async () => {
  const marker = `SYMPHONY_TEST=${randomUUID()}`;
  const [name = '', value = ''] = marker.split('=');
  const child = await aShell('(setsid sleep 1000 &) ; (sleep 1000 &)', {[name]: value});
  child.kill('SIGKILL');
  await once(child, 'exit');
  const query = {roots: [], markers: [marker], except: []};
  assert.equal(findProcesses(query).length, 2);
  assert.equal(findProcesses({...query, markers: [`${marker}x`]}).length, 0);
  assert.equal(findProcesses({...query, markers: [marker.slice(0, -1)]}).length, 0);
  assert.deepEqual(await endProcesses(query, 0), []);
  assert.deepEqual(findProcesses(query), []);
});

test(
  'a second look passes over the strangers of the first, and finds who came since',
  onLinux,
  async () => {
    const marker = `SYMPHONY_TEST=${randomUUID()}`;
    const [name = '', value = ''] = marker.split('=');
    const stranger = await aShell('sleep 1000 &');
    const blank = spawn('sleep', ['1000'], {env: {}, stdio: 'ignore', detached: true});
    const query = {roots: [], markers: [marker], except: []};
    const strangers = new Set<number>();
    assert.equal(isNobodyLeft(query, strangers), true);
    assert.equal(strangers.has(stranger.pid ?? -1), true);
    assert.equal(strangers.has(blank.pid ?? -1), false, 'nobody can tell whose it is');
    assert.equal(isNobodyLeft({...query, roots: [identityOf(blank)]}, strangers), false);

    const ours = await aShell('env -i sleep 1000 &', {[name]: value});
    assert.equal(isNobodyLeft(query, strangers), false);
    assert.equal(isNobodyLeft({...query, except: [ours.pid ?? -1]}, strangers), true);
    assert.equal(strangers.has(ours.pid ?? -1), false);
    strangers.add(ours.pid ?? -1);
    assert.equal(isNobodyLeft(query, strangers), true);
    const roots = [stranger, blank, ours].map(identityOf);
    assert.deepEqual(await endProcesses({roots, markers: [marker], except: []}, 0), []);
  },
);

test('who ignores SIGTERM is forced after the grace period', onLinux, async () => {
  const child = await aShell('trap "" TERM; sleep 1000 &');
  const identity = identityOf(child);
  assert.deepEqual(await endProcesses({roots: [identity], markers: [], except: []}, 50), []);
  assert.equal(isAlive(identity), false);
});

test('nobody who forks all the time gets away', onLinux, async () => {
  const marker = `SYMPHONY_TEST=${randomUUID()}`;
  const [name = '', value = ''] = marker.split('=');
  const child = await aShell('(while true; do sleep 0.01 & done) &', {[name]: value});
  const query = {roots: [identityOf(child)], markers: [marker], except: []};
  assert.deepEqual(await endProcesses(query, 0), []);
  assert.deepEqual(findProcesses(query), []);
});

test('the excepted are spared, and with them what only they lead to', onLinux, async () => {
  const child = await aShell('sleep 1000 &');
  const root = identityOf(child);
  assert.deepEqual(findProcesses({roots: [root], markers: [], except: [root.pid]}), []);
  await endProcesses({roots: [root], markers: [], except: []}, 0);
});
