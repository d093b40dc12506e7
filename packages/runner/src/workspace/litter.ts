import {join} from 'node:path';
import {lstat, orNull, removeFile, rmdir} from '../processes/files.ts';
import {isContained} from './contain.ts';
import type {Layout} from './layout.ts';

/**
 * Records which of these names exist before an agent runs; the returned function removes the new ones if
 * they are empty folders or files, which an agent leaves when it is stopped.
 */
export async function litterSweep(
  layout: Layout,
  names: readonly string[],
): Promise<() => Promise<void>> {
  const suspects: string[] = [];
  for (const name of names) {
    const path = join(layout.path, name);
    if ((await orNull(lstat(path))) === null) suspects.push(path);
  }
  return async () => {
    // Not behind a link that an agent has put in its place.
    if (!(await isContained(layout))) return;
    for (const path of suspects) {
      const found = await orNull(lstat(path));
      // Only an empty folder can be removed this way.
      if (found?.isDirectory()) await rmdir(path).catch(() => {});
      else if (found?.isFile() && found.size === 0) await removeFile(path).catch(() => {});
    }
  };
}
