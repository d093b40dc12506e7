import assert from 'node:assert/strict';
import {type ChildProcess, spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {ending} from '../../../test/rig/ending.ts';
import {aFolder} from '../../../test/rig/fixtures/folder.ts';
import {parseStat} from '../src/processes/identity.ts';
import {
  endProcesses,
  endProcessesBlocking,
  findProcesses,
  identify,
  isAlive,
  lookFor,
} from '../src/processes/index.ts';

const onLinux = {skip: process.platform === 'linux' ? false : 'reads /proc'};

/** A shell with a marker in its environment that has started all that its script starts, and stays. */
async function aShell(script: string) {
  const value = randomUUID();
  const marker = `SYMPHONY_TEST=${value}`;
  const child = spawn('bash', ['-c', `${script}\necho ready\nread -r`], {
    env: {PATH: process.env.PATH, SYMPHONY_TEST: value},
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const end = ending(child, marker);
  await once(child.stdout, 'data');
  return {child, identity: identityOf(child), marker, ...end};
}

function identityOf(child: ChildProcess) {
  const identity = identify(child.pid ?? -1);
  assert.ok(identity !== null);
  return identity;
}

test('a process is told apart from a later one with its number', async () => {
  await using shell = await aShell('sleep 1000 &');
  const {identity} = shell;
  assert.equal(isAlive(identity), true);
  assert.equal(isAlive({...identity, startedAt: 'another time'}), false);
  await endProcesses({roots: [identity], markers: [], except: []}, 0);
  assert.equal(isAlive(identity), false);
});

test('descent finds a child with an empty environment', onLinux, async () => {
  await using shell = await aShell('env -i sleep 1000 & setsid env -i sleep 1000 &');
  const query = {roots: [shell.identity], markers: [], except: []};
  assert.equal(findProcesses(query).length, 3);
  assert.deepEqual(await endProcesses(query, 0), []);
  assert.deepEqual(findProcesses(query), []);
});

test('the environment finds a child that has lost its parents', onLinux, async () => {
  await using shell = await aShell('(setsid sleep 1000 &) ; (sleep 1000 &)');
  const {child, marker} = shell;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const query = {roots: [], markers: [marker], except: []};
  assert.equal(findProcesses({...query, markers: [`${marker}x`]}).length, 0);
  assert.equal(findProcesses({...query, markers: [marker.slice(0, -1)]}).length, 0);
  assert.equal(findProcesses(query).length, 2);
  assert.deepEqual(await endProcesses(query, 0), []);
  assert.deepEqual(findProcesses(query), []);
});

/** Processes without parents that replace themselves by the same program as fast as they can. */
async function restless(folder: string, count: number) {
  const script = join(folder, 'restless.sh');
  await writeFile(script, `exec sh '${script}'\n`);
  const shell = await aShell(`for i in $(seq ${count}); do setsid sh '${script}' & done`);
  shell.child.kill('SIGKILL');
  await once(shell.child, 'exit');
  return {...shell, query: {roots: [], markers: [shell.marker], except: []}};
}

test('a look never takes a process in the middle of an exec for a stranger', onLinux, async () => {
  await using folder = await aFolder();
  await using group = await restless(folder.path, 4);
  const looks = Array.from({length: 150}, () => lookFor(group.query));
  const certain = looks.filter(({isCertain}) => isCertain);
  assert.deepEqual([...new Set(certain.map(({found}) => found.length))], [4]);
});

test('an exec is told apart from a program that was started without variables', () => {
  const statOf = (codeFrom: number, environment: readonly [number, number]) => {
    const fields = Array.from({length: 50}, (_, index) => String(index + 3));
    fields[0] = 'R';
    fields[23] = String(codeFrom);
    [fields[47], fields[48]] = environment.map(String) as [string, string];
    return parseStat(7, `7 (a (b) c) ${fields.join(' ')}\n`);
  };
  assert.equal(statOf(4096, [8192, 8200])?.hasEnvironment, true);
  assert.equal(statOf(4096, [8192, 8192])?.hasEnvironment, false, 'started with no variable');
  assert.equal(statOf(0, [0, 0])?.hasEnvironment, true, 'the memory is new');
  assert.equal(statOf(0, [8192, 8192])?.hasEnvironment, true, 'the variables are being copied');
});

test('what replaces its program all the time is ended', onLinux, async () => {
  await using folder = await aFolder();
  for (const graceMs of [0, 1000]) {
    await using group = await restless(folder.path, 2);
    assert.deepEqual(await endProcesses(group.query, graceMs), []);
    assert.deepEqual(findProcesses(group.query), []);
  }
});

test('a process without any environment leaves no doubt whose it is', onLinux, async () => {
  const blank = spawn('sleep', ['1000'], {env: {}, stdio: 'ignore', detached: true});
  await using _end = ending(blank);
  await once(blank, 'spawn');
  const query = {roots: [], markers: [`SYMPHONY_TEST=${randomUUID()}`], except: []};
  assert.deepEqual(await endProcesses(query, 1000), []);
  assert.equal(isAlive(identityOf(blank)), true);
});

test('a process that ignores SIGTERM is killed after the grace period', onLinux, async () => {
  await using shell = await aShell('trap "" TERM; sleep 1000 &');
  const {identity} = shell;
  assert.deepEqual(await endProcesses({roots: [identity], markers: [], except: []}, 50), []);
  assert.equal(isAlive(identity), false);
});

test(
  'a process that dies ends its own within one turn of the loop, and asks first',
  onLinux,
  async () => {
    await using asked = await aShell('trap "echo asked; exit" TERM; sleep 1000 &');
    const said = once(asked.child.stdout ?? asked.child, 'data');
    await using deaf = await aShell('trap "" TERM; sleep 1000 &');
    const killed = once(deaf.child, 'exit');
    endProcessesBlocking({roots: [asked.identity, deaf.identity], markers: [], except: []}, 200);
    assert.match(String((await said)[0]), /asked/);
    assert.deepEqual(await killed, [null, 'SIGKILL']);
    assert.equal(isAlive(asked.identity), false);
  },
);

test('a process that forks all the time is ended with its children', onLinux, async () => {
  await using shell = await aShell('(while true; do sleep 0.01 & done) &');
  const query = {roots: [shell.identity], markers: [shell.marker], except: []};
  assert.deepEqual(await endProcesses(query, 0), []);
  assert.deepEqual(findProcesses(query), []);
});

test('exceptions are spared, and with them what only they lead to', onLinux, async () => {
  await using shell = await aShell('sleep 1000 &');
  const root = shell.identity;
  assert.deepEqual(findProcesses({roots: [root], markers: [], except: [root.pid]}), []);
});
