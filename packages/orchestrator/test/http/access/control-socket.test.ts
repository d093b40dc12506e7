import assert from 'node:assert/strict';
import {chmodSync, existsSync, mkdirSync, statSync, writeFileSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {bindSocket, socketPathIn, socketPlaces} from '../../../src/http/control-socket.ts';
import {openControl} from '../../../src/http/open-control.ts';
import {TemporaryDir} from '../../store/a-store.ts';

const LONG = 'x'.repeat(90);

test('the socket is in the state directory, unless its path is too long', () => {
  const paths = (stateDir: string, runtimeDir: string | null) =>
    socketPlaces(stateDir, runtimeDir).map(({path}) => path);
  assert.equal(paths('/srv/p/.symphony', '/run/user/1')[0], '/srv/p/.symphony/control.sock');
  const exact = `/${'y'.repeat(100 - '/control.sock'.length - 1)}`;
  assert.equal(paths(exact, null)[0], `${exact}/control.sock`);
  assert.doesNotMatch(paths(`${exact}y`, null)[0] ?? '', /control\.sock/);
  // Of bytes, not of characters.
  assert.doesNotMatch(paths(`${exact.slice(0, -1)}ü`, null)[0] ?? '', /control\.sock/);
  const [first = '', second = ''] = paths(`/${LONG}`, '/run/user/1');
  assert.match(first, /^\/run\/user\/1\/symphony-[0-9a-f]{16}\.sock$/);
  assert.match(second, new RegExp(`/symphony-${process.getuid?.()}/[0-9a-f]{16}\\.sock$`));
  assert.notEqual(paths(`/${LONG}z`, '/run/user/1')[0], first, 'each state directory has its own');
});

/** A server that listens where it is told, and says under which mode its folder was. */
function aServer() {
  const server = createServer();
  const modes: number[] = [];
  const listen = (path: string) => {
    modes.push(statSync(dirname(path)).mode & 0o777);
    return new Promise<void>((resolve) => server.listen(path, resolve));
  };
  return {listen, modes, [Symbol.dispose]: () => void server.close()};
}

test('it is bound in a folder of its owner, and takes the place of one that was left behind', async () => {
  using dir = new TemporaryDir();
  chmodSync(dir.path, 0o755);
  writeFileSync(dir.at('control.sock'), '');
  using server = aServer();
  await bindSocket({path: dir.at('control.sock'), folder: 'state'}, server.listen);
  assert.deepEqual(server.modes, [0o700]);
  const stats = statSync(dir.at('control.sock'));
  assert.ok(stats.isSocket());
  assert.equal(stats.mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dir.path), ['control.sock']);
});

test('outside of the state directory a folder that others may enter is not used', async () => {
  using dir = new TemporaryDir();
  using server = aServer();
  mkdirSync(dir.at('open'), {mode: 0o755});
  chmodSync(dir.at('open'), 0o755);
  const place = {path: dir.at('open', 's.sock'), folder: 'private'} as const;
  await assert.rejects(bindSocket(place, server.listen), /open is accessible to other users/);
  await bindSocket({path: dir.at('made', 's.sock'), folder: 'private'}, server.listen);
  assert.equal(statSync(dir.at('made')).mode & 0o777, 0o700);
});

/** As much of a server as a listener needs. */
function fakeApp(mayListen: (where: {path?: string}) => boolean) {
  const server = createServer();
  return {
    server,
    listen: async (where: {path?: string; host?: string; port?: number}) => {
      if (!mayListen(where)) throw new Error('sockets are not supported here');
      await new Promise<void>((resolve) => server.listen(where, () => resolve()));
    },
    close: async () => void server.close(),
  } as never;
}

test('a path that is too long, or a disk without sockets: the next place, and in the end a port', async () => {
  using dir = new TemporaryDir();
  const logged: unknown[] = [];
  const log = (_level: string, fields: object) => void logged.push(fields);
  const runtimeDir = dir.at('run');
  mkdirSync(runtimeDir, {mode: 0o700});
  const stateDir = join(dir.path, LONG);
  mkdirSync(stateDir);
  {
    const build = async () => fakeApp(() => true);
    await using control = await openControl({stateDir, runtimeDir, build, log});
    const path = socketPathIn(control.url) ?? '';
    assert.equal(dirname(path), runtimeDir);
    assert.ok(existsSync(path));
  }
  assert.deepEqual(await readdir(runtimeDir), []);
  assert.deepEqual(logged, []);
  const build = async () => fakeApp(({path}) => path === undefined);
  await using control = await openControl({stateDir, runtimeDir, build, log});
  assert.match(control.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.match(JSON.stringify(logged), /control_socket\.missing.*not supported here/);
});
