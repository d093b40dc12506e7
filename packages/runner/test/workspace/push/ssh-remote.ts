import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {ending} from '../../../../../test/rig/ending.ts';

/** sshd must be started by its full path. */
const SSHD = ['/usr/sbin/sshd', '/usr/bin/sshd', '/usr/local/sbin/sshd'].find(existsSync);

export const withSshd = {skip: SSHD === undefined ? 'there is no sshd on this machine' : false};

/** A real sshd on a port of its own, with keys of its own, that knows one user: this one. */
export async function sshRemote(folder: string) {
  if (SSHD === undefined) throw new Error('no sshd');
  const dir = join(folder, 'sshd');
  await mkdir(dir, {mode: 0o700});
  const keyAt = (name: string): string => {
    const path = join(dir, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
    return path;
  };
  const [hostKey, userKey, otherKey] = ['host', 'user', 'other'].map(keyAt);
  const port = await freePort();
  const config = join(dir, 'config');
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${userKey}.pub`,
    ...['PidFile none', 'UsePAM no', 'StrictModes no', 'PasswordAuthentication no'],
    ...['KbdInteractiveAuthentication no', 'PermitRootLogin prohibit-password'],
  ];
  await writeFile(config, `${settings.join('\n')}\n`);
  // As root it wants a folder for its unprivileged half.
  if (process.geteuid?.() === 0) await mkdir('/run/sshd', {recursive: true});
  const child = spawn(SSHD, ['-D', '-e', '-f', config], {stdio: ['ignore', 'ignore', 'pipe']});
  const end = ending(child);
  let said = '';
  for await (const chunk of child.stderr.iterator({destroyOnReturn: false})) {
    said += String(chunk);
    if (said.includes('Server listening')) break;
  }
  child.stderr.resume();
  if (!said.includes('Server listening')) throw new Error(`sshd did not start: ${said}`);
  const client = (key: string | undefined): string =>
    `ssh -F none -i ${key} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o BatchMode=yes`;
  return {
    url: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    command: client(userKey),
    strangerCommand: client(otherKey),
    [Symbol.asyncDispose]: () => end[Symbol.asyncDispose](),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return address.port;
}
