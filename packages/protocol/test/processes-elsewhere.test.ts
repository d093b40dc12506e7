import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {test} from 'node:test';
import {ending} from '../../../test/rig/ending.ts';
import {endProcesses, endProcessesBlocking, identify, isAlive} from '../src/processes/index.ts';

// Where there is no /proc, processes are told apart by ps and ended along their tree. Both tools are on
// Linux, too, so the way of macOS is gone here under its name.

const skip = hasTools() ? false : 'ps and pgrep, which macOS has, are not installed';

function hasTools(): boolean {
  try {
    execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(process.pid)], {stdio: 'ignore'});
    execFileSync('sh', ['-c', 'command -v pgrep'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

function onMacOs(): Disposable {
  const before = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', {...before, value: 'darwin'});
  return {[Symbol.dispose]: () => void Object.defineProperty(process, 'platform', before)};
}

/** A shell with a child of its own, both deaf to SIGTERM if wanted. */
async function aTree(trap = '') {
  const script = `${trap}\nsh -c '${trap}\necho ready; while :; do sleep 1000; done' &\nwait; wait`;
  const shell = spawn('sh', ['-c', script], {stdio: ['ignore', 'pipe', 'ignore'], detached: true});
  const end = ending(shell);
  const ended = once(shell, 'close'); // of its output, too, which the child holds as long as it lives
  await once(shell.stdout, 'data');
  const identity = identify(shell.pid ?? -1);
  assert.ok(identity !== null);
  return {query: {roots: [identity], markers: [], except: []}, identity, ended, ...end};
}

test('a process is known by the time of its start', {skip}, async () => {
  using _mac = onMacOs();
  await using tree = await aTree();
  const {query, identity, ended} = tree;
  assert.match(identity.startedAt, /^\w+ \w+ \d+ \d+:\d+:\d+ \d{4}$/);
  assert.equal(isAlive(identity), true);
  assert.equal(isAlive({...identity, startedAt: 'another time'}), false);
  assert.deepEqual(await endProcesses(query, 5000), []);
  await ended;
  assert.equal(isAlive(identity), false);
  assert.equal(identify(identity.pid), null);
});

test('a tree that does not heed SIGTERM is killed after its grace', {skip}, async () => {
  using _mac = onMacOs();
  await using tree = await aTree('trap "" TERM');
  const {query, identity, ended} = tree;
  assert.deepEqual(await endProcesses(query, 100), []);
  await ended;
  assert.equal(isAlive(identity), false);
});

test('a tree is killed at once, without a wait', {skip}, async () => {
  using _mac = onMacOs();
  await using tree = await aTree();
  const {query, identity, ended} = tree;
  endProcessesBlocking(query, 1000);
  await ended;
  assert.equal(isAlive(identity), false);
});
