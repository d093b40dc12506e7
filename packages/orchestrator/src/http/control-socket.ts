import {createHash} from 'node:crypto';
import {chmod, lstat, mkdir, mkdtemp, rename, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

/** Kernels accept 104 to 108 bytes, and Node truncates longer paths silently. */
const MOST_BYTES = 100;
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_SOCKET = 0o600;

/** Prefix of a control socket in `supervisor.json`. */
const SCHEME = 'unix://';

export interface SocketPlace {
  readonly path: string;
  /** `private`: a folder outside the state directory, which must be owned by us. */
  readonly folder: 'state' | 'private';
}

/** Candidate paths for the control socket of a state directory, best first. */
export function socketPlaces(stateDir: string, runtimeDir: string | null): SocketPlace[] {
  const uid = process.getuid?.();
  if (uid === undefined) return [];
  const name = createHash('sha256').update(stateDir).digest('hex').slice(0, 16);
  const places: SocketPlace[] = [
    {path: join(stateDir, 'control.sock'), folder: 'state'},
    ...(runtimeDir === null
      ? []
      : [{path: join(runtimeDir, `symphony-${name}.sock`), folder: 'private'} as const]),
    {path: join(tmpdir(), `symphony-${uid}`, `${name}.sock`), folder: 'private'},
  ];
  return places.filter(({path}) => Buffer.byteLength(path) <= MOST_BYTES);
}

/**
 * Replaces the socket of an earlier process that was killed; the caller holds the lock of the state
 * directory.
 */
export async function bindSocket(
  {path, folder}: SocketPlace,
  listen: (path: string) => Promise<unknown>,
): Promise<void> {
  if (folder === 'private') await requirePrivate(dirname(path));
  // A socket is created by umask: no other user may connect before its mode is set.
  const shelter = await mkdtemp(join(dirname(path), '.c-'));
  try {
    const draft = join(shelter, 's');
    await listen(draft);
    await chmod(draft, OWNER_ONLY_SOCKET);
    await rename(draft, path);
    if (!(await lstat(path)).isSocket()) throw new Error(`${path} is not a socket`);
  } finally {
    await rm(shelter, {recursive: true, force: true});
  }
}

/** Another user may have created a folder of this name in the temporary folder. */
async function requirePrivate(folder: string): Promise<void> {
  await mkdir(folder, {mode: OWNER_ONLY_FOLDER}).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const stats = await lstat(folder);
  const isOurs = stats.isDirectory() && stats.uid === process.getuid?.();
  if (!isOurs || (stats.mode & 0o077) !== 0)
    throw new Error(`${folder} is accessible to other users`);
}

export function socketUrl(path: string): string {
  return `${SCHEME}${path}`;
}

/** null: the URL is not that of a socket. */
export function socketPathIn(url: string): string | null {
  return url.startsWith(SCHEME) ? url.slice(SCHEME.length) : null;
}
