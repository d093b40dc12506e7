import {join} from 'node:path';
import {lstat, rmdir} from '../processes/files.ts';
import {isContained} from './contain.ts';
import type {Layout} from './layout.ts';

/** What Codex's sandbox puts into a workspace as empty folders, and leaves there when it is stopped. */
const LITTER = ['.agents', '.aws', '.codex', '.git'];

/** Notes what is there before an agent runs; the function it returns removes what was not. */
export async function litterSweep(layout: Layout): Promise<() => Promise<void>> {
  const suspects: string[] = [];
  for (const name of LITTER) {
    const path = join(layout.path, name);
    if ((await lstat(path).catch(() => null)) === null) suspects.push(path);
  }
  return async () => {
    // Not behind a link that an agent has put in its place.
    if (!(await isContained(layout))) return;
    // Only empty folders can be removed this way.
    for (const path of suspects) await rmdir(path).catch(() => {});
  };
}
