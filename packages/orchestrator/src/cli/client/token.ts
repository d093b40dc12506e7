import {existsSync} from 'node:fs';
import {Tokens} from '../../http/access/tokens.ts';
import {TokensRotated} from '../../http/api/shapes.ts';
import {readSupervisorFile} from '../../http/supervisor-file.ts';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {stateDirFor} from '../places.ts';
import {printJson} from '../table.ts';
import type {ClientOptions} from './client-commands.ts';
import {Control} from './control.ts';
import {isHeld} from './look-into-store.ts';

/**
 * Replaces both tokens and so ends every session: their digests are keyed by the control token.
 * Works without a supervisor, too, for a folder that another user could have read.
 */
export async function rotateTokens(options: ClientOptions): Promise<ExitCode> {
  const stateDir = stateDirFor([], options.stateDir);
  if (isHeld(stateDir)) await rotateLive(stateDir, options);
  else await rotateFiles(stateDir);
  if (options.json) printJson({rotated: true, state_dir: stateDir});
  else console.log('both tokens are replaced; sign in again with `symphony-supervisor open`');
  return EXIT.fine;
}

async function rotateLive(stateDir: string, options: ClientOptions): Promise<void> {
  if ((await readSupervisorFile(stateDir)) === null) {
    const what = `the supervisor of ${stateDir} is starting or ending`;
    throw new ExitWith(EXIT.unexpected, `${what}\ntry again in a moment`);
  }
  await Control.reach(options).post('/api/v1/tokens/rotate', {}, TokensRotated);
}

async function rotateFiles(stateDir: string): Promise<void> {
  if (!existsSync(stateDir)) {
    const remedy = 'give its folder with --state-dir';
    throw new ExitWith(EXIT.unexpected, `there is no state dir ${stateDir}\n${remedy}`);
  }
  const tokens = await Tokens.take(stateDir, () => {});
  await tokens.rotate();
}
