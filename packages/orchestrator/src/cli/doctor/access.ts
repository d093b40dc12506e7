import {join} from 'node:path';
import {socketPathIn, socketPlaces} from '../../http/control-socket.ts';
import {readSupervisorFile} from '../../http/supervisor-file.ts';
import {type Check, ok, warn} from './check.ts';

/** How commands reach the supervisor; a port on loopback is open to every user of the machine. */
export async function checkControlSocket(
  stateDir: string,
  runtimeDir: string | null,
): Promise<Check> {
  const name = 'control socket';
  const running = await readSupervisorFile(stateDir);
  const [place] = socketPlaces(stateDir, runtimeDir);
  const path = running === null ? (place?.path ?? null) : socketPathIn(running.url);
  if (path !== null) return ok(name, path);
  const found = `none; commands use ${running?.url ?? 'a port on loopback'}, and only the token protects it`;
  return warn(name, found, 'use a state dir with a shorter path, on a disk that can hold sockets');
}

/** File modes do not keep out processes of the same user. */
export function tellOfTokens(stateDir: string): Check {
  const path = join(stateDir, 'control-token');
  const found = `agents run as this user: an agent that may read files can read ${path} and give orders`;
  return ok('tokens', `${found} (docs/security.md)`);
}
