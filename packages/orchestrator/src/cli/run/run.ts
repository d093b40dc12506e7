import type {ExitCode} from '../exit.ts';
import {EarlyTrackers} from './early-trackers.ts';
import type {RunOptions} from './run-command.ts';

/** The supervisor in the foreground, until it is stopped. */
export async function run(given: readonly string[], options: RunOptions): Promise<ExitCode> {
  await using trackers = new EarlyTrackers(process.env);
  const {supervise} = await import('./supervise.ts');
  return await supervise(given, options, trackers);
}
