import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {aFolder} from '../rig/fixtures/folder.ts';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../package', import.meta.url));

export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly {readonly path: string; readonly mode: number}[];
}

export type Bin = 'symphony-supervisor' | 'symphony-runner';

/** The tarball that `npm publish` would send, installed alone into an empty folder. */
export async function installed() {
  if (!existsSync(PACKAGE)) throw new Error('there is no ./package: run `npm run package`');
  const folder = await aFolder();
  const pack = ['pack', '--json', '--pack-destination', folder.path, PACKAGE];
  const [packed] = JSON.parse((await run('npm', pack)).stdout) as [Packed];
  const home = join(folder.path, 'alone');
  await mkdir(home);
  await writeFile(join(home, 'package.json'), '{"private": true}');
  // Scripts are not ignored: a user does not ignore them either.
  const install = ['install', '--no-audit', '--no-fund', '--foreground-scripts'];
  const {stdout, stderr} = await run('npm', [...install, join(folder.path, packed.filename)], {
    cwd: home,
  });
  return {
    packed,
    /** The folder of the person who installed it. */
    home,
    path: join(home, 'node_modules/symphony-supervisor'),
    /** What npm said. */
    said: `${stdout}${stderr}`,
    bin: (name: Bin) => join(home, 'node_modules/.bin', name),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export type Installed = Awaited<ReturnType<typeof installed>>;
