import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {identify, readLoginEnvironment} from '../src/processes/index.ts';

/** A home of its own with this profile. */
async function aHome(profile: string): Promise<AsyncDisposable & {path: string}> {
  const path = await mkdtemp(join(tmpdir(), 'symphony-home-'));
  await writeFile(join(path, '.profile'), profile);
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
}

function read(home: string, options: Partial<Parameters<typeof readLoginEnvironment>[0]> = {}) {
  const environment = {PATH: process.env.PATH, HOME: home};
  return readLoginEnvironment({environment, secretNames: [], ...options});
}

async function variablesOf(...args: Parameters<typeof read>): Promise<Record<string, string>> {
  const reading = await read(...args);
  assert.ok(reading.ok, reading.ok ? '' : reading.reason);
  return reading.variables;
}

test('what the profile exports, with exported functions and values of several lines', async () => {
  await using home = await aHome(`
    export LINES_OF_TEXT=$'one\\ntwo=2'
    greet() { echo hello; }
    export -f greet
    echo 'what a profile prints is not the environment'
    echo "in $(pwd)" > where
    cat > input`);
  const variables = await variablesOf(home.path);
  assert.equal(variables.LINES_OF_TEXT, 'one\ntwo=2');
  assert.match(variables['BASH_FUNC_greet%%'] ?? '', /echo hello/);
  assert.equal(variables.HOME, home.path);
  for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) assert.equal(name in variables, false, name);
  assert.equal(await readFile(join(home.path, 'where'), 'utf8'), `in ${home.path}\n`);
  assert.equal(await readFile(join(home.path, 'input'), 'utf8'), '', 'no input to wait for');
});

test('a secret of the tracker is neither given to the profile nor taken from it', async () => {
  await using home = await aHome('export SEEN="$DESK_KEY"; export DESK_KEY=from-the-profile');
  const environment = {PATH: process.env.PATH, HOME: home.path, DESK_KEY: 'ours'};
  const variables = await variablesOf(home.path, {environment, secretNames: ['DESK_KEY']});
  assert.equal(variables.SEEN, '');
  assert.equal('DESK_KEY' in variables, false);
});

test('a daemon of the profile that keeps every descriptor open delays nothing, and lives on', async () => {
  await using home = await aHome('sleep 1000 & echo $! > daemon; export MADE=1');
  assert.equal((await variablesOf(home.path)).MADE, '1');
  const daemon = await notedIn(home.path, 'daemon');
  assert.ok(daemon !== null);
  process.kill(daemon.pid, 'SIGKILL');
});

async function notedIn(home: string, file: string) {
  return identify(Number(await readFile(join(home, file), 'utf8')));
}

/** Takes a lock, and releases it in an EXIT trap as pyenv does. */
const TAKE_LOCK = `mkdir lock; trap 'rmdir "$HOME/lock"' EXIT`;
/** Tells this process that the profile has come so far, and stays there. */
const STAY = 'kill -USR2 $PPID; while :; do sleep 1000; done';

/** Reads until the profile stays somewhere, and is then called off. */
async function calledOff(home: string, options: Parameters<typeof read>[1] = {}) {
  const stop = new AbortController();
  process.once('SIGUSR2', () => stop.abort());
  const reading = await read(home, {...options, signal: stop.signal});
  assert.equal(reading.ok ? null : reading.reason, 'it was stopped');
}

test('a lock that is released in an EXIT trap is released after a good end', async () => {
  await using home = await aHome(`${TAKE_LOCK}; export DONE=1`);
  assert.equal((await variablesOf(home.path)).DONE, '1');
  assert.equal(existsSync(join(home.path, 'lock')), false);
});

test('a reading that is called off ends its shell by SIGTERM: the lock is released', async () => {
  await using home = await aHome(`${TAKE_LOCK}; sleep 1000 & echo $! > child; ${STAY}`);
  await calledOff(home.path);
  assert.equal(existsSync(join(home.path, 'lock')), false);
  assert.equal(await notedIn(home.path, 'child'), null, 'nothing of it is left');
});

test('a profile that does not end is asked to by SIGTERM, and the failure names it', async () => {
  await using home = await aHome(`${TAKE_LOCK}; sleep 1000`);
  const reading = await read(home.path, {limitMs: 1000});
  assert.ok(!reading.ok);
  assert.equal(reading.reason, 'it did not end within 1 s');
  assert.equal(reading.profile, join(home.path, '.profile'));
  assert.ok(reading.tookMs >= 1000);
  assert.equal(existsSync(join(home.path, 'lock')), false);
});

test('a profile that ignores SIGTERM is forced', async () => {
  await using home = await aHome(`trap '' TERM; echo $$ > pid; ${STAY}`);
  await calledOff(home.path, {graceMs: 200});
  assert.equal(await notedIn(home.path, 'pid'), null);
});

test('no shell is started for a reading that was called off before', async () => {
  await using home = await aHome('touch started');
  assert.equal((await read(home.path, {signal: AbortSignal.abort()})).ok, false);
  assert.equal(existsSync(join(home.path, 'started')), false);
});

test('a profile that ends the shell, or becomes another program, is a failure that says how', async () => {
  for (const [profile, reason] of [
    ['exit 3', 'it ended with exit code 3 before it printed the environment'],
    ['exec true', 'it ended with exit code 0 before it printed the environment'],
    ['PATH=/nowhere', 'it ended with exit code 127 before it printed the environment'],
  ] as const) {
    await using home = await aHome(profile);
    const reading = await read(home.path);
    assert.deepEqual(reading.ok ? null : reading.reason, reason);
  }
});

test('an environment that is too large for any process is a failure', async () => {
  await using home = await aHome(`
    big=$(printf '%0100000d' 0)
    for number in 1 2 3 4 5 6 7 8 9 10 11 12; do export "BIG_$number=$big"; done`);
  const reading = await read(home.path);
  assert.match(reading.ok ? '' : reading.reason, /more than 1048576 bytes/);
});

test('without bash, sh reads the profile; without either the reading fails', async () => {
  await using home = await aHome('export MADE=1');
  const bin = join(home.path, 'bin');
  await mkdir(bin);
  const environment = {PATH: bin, HOME: home.path};
  const reading = await read(home.path, {environment});
  assert.match(reading.ok ? '' : reading.reason, /neither bash nor sh/);
  for (const name of ['sh', 'env']) await symlink(join('/bin', name), join(bin, name));
  await chmod(bin, 0o755);
  // /etc/profile sets a PATH of its own; only who runs first is of interest here.
  assert.equal((await variablesOf(home.path, {environment})).MADE, '1');
});

test('a home that does not exist has no profile, and that is no failure', async () => {
  const home = join(tmpdir(), 'symphony-no-such-home');
  assert.equal((await variablesOf(home)).HOME, home);
  const reading = await read(home);
  assert.equal(reading.profile, '/etc/profile');
});
