import {existsSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

/** Beside the first workflow file by default. */
export function stateDirFor(paths: readonly string[], given: string | undefined): string {
  return resolve(given ?? join(dirname(resolve(paths[0] ?? 'WORKFLOW.md')), '.symphony'));
}

export function logsRootFor(stateDir: string, given: string | undefined): string {
  return resolve(given ?? join(stateDir, 'logs'));
}

/** The folder of the bundles. This code may be in a bundle, in a chunk of one, or in neither. */
export function bundle(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = [here, dirname(here), join(here, '../../dist'), join(here, '../../../dist')];
  const found = folders.find((folder) => existsSync(join(folder, name))) ?? here;
  return join(found, name);
}
