import {resolve} from 'node:path';
import {openStoreForReading} from '../../store/index.ts';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {stateDirFor} from '../places.ts';
import {forPeople} from '../run/start-failure.ts';
import {printJson} from '../table.ts';
import type {ClientOptions} from './client-commands.ts';

/**
 * Copies the store, with or without a running supervisor. To restore: stop the supervisor and put
 * the file back.
 */
export async function backup(file: string | null, options: ClientOptions): Promise<ExitCode> {
  const stateDir = stateDirFor([], options.stateDir);
  const stamp = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '');
  const path = resolve(file ?? `symphony-${stamp}.db`);
  try {
    const store = openStoreForReading(stateDir);
    if (store === null) {
      const what = `there is no store in ${stateDir}`;
      throw new ExitWith(EXIT.unexpected, `${what}\ngive its folder with --state-dir`);
    }
    await using opened = store;
    opened.backup(path);
  } catch (error) {
    throw forPeople(error);
  }
  if (options.json) printJson({path});
  else console.log(`copied the store of ${stateDir} to ${path}`);
  return EXIT.fine;
}
