import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {access, constants, mkdir, realpath, rm, statfs, writeFile} from 'node:fs/promises';
import {dirname, join, sep} from 'node:path';
import type {Workflow} from '@symphony-supervisor/protocol';
import {stateDirExposure} from '../../store/index.ts';
import {isHeld} from '../client/look-into-store.ts';
import {type ListenAddress, listenProblem} from '../run/listen-addresses.ts';
import {type Check, fail, ok, skip, warn} from './check.ts';

const LOW_SPACE_BYTES = 1024 ** 3;

/** Folders that systems clean by age or at boot. */
const SWEPT = ['/tmp', '/var/tmp', '/private/tmp', '/var/folders', '/dev/shm'];

export async function checkWorkspaceRoot({settings}: Workflow): Promise<Check> {
  const name = 'workspace root';
  const {root} = settings.workspace;
  const problem = await writeProblem(root);
  if (problem !== null) {
    return fail(name, `${root}: ${problem}`, 'fix its permissions, or set another workspace.root');
  }
  const there = await realpath(nearestFolder(root));
  if (SWEPT.some((folder) => there === folder || there.startsWith(`${folder}${sep}`))) {
    const remedy = 'set workspace.root: the system deletes old files in temporary folders';
    return warn(name, `${root} is in a temporary folder`, remedy);
  }
  const {bavail, bsize} = await statfs(there);
  const free = bavail * bsize;
  if (free < LOW_SPACE_BYTES) {
    return warn(
      name,
      `${root}: ${Math.round(free / 1024 ** 2)} MB free`,
      'free space on that disk',
    );
  }
  return ok(name, `${root}, ${Math.round(free / 1024 ** 3)} GB free`);
}

export async function checkStateDir(stateDir: string): Promise<Check> {
  const name = 'state dir';
  const exposure = existsSync(stateDir) ? stateDirExposure(stateDir) : null;
  if (exposure !== null) {
    return warn(
      name,
      exposure,
      'it holds tokens, prompts and transcripts: restrict it to its owner',
    );
  }
  if (isHeld(stateDir)) return ok(name, `${stateDir}, in use by a running supervisor`);
  const problem = await writeProblem(stateDir);
  if (problem === null) return ok(name, stateDir);
  return fail(name, `${stateDir}: ${problem}`, 'fix its permissions, or use another --state-dir');
}

export async function checkPort(
  address: ListenAddress | null,
  stateDir: string,
  name = 'port',
): Promise<Check> {
  if (address === null)
    return skip(name, 'no fixed port is configured; --port or server.port opens one');
  const where = `${address.host}:${address.port}`;
  const problem = await listenProblem(address);
  if (problem === null) return ok(name, where);
  if (isHeld(stateDir)) return ok(name, `${where}, in use while the supervisor runs`);
  return fail(name, problem.message, 'choose another with --port or server.port');
}

/** Creates nothing: missing folders stay missing. */
async function writeProblem(folder: string): Promise<string | null> {
  const there = nearestFolder(folder);
  try {
    await access(there, constants.W_OK | constants.X_OK);
    const probe = join(there, `.symphony-doctor-${randomUUID()}`);
    if (there === folder) {
      await writeFile(probe, '');
      await rm(probe);
    } else {
      await mkdir(probe);
      await rm(probe, {recursive: true});
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function nearestFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
