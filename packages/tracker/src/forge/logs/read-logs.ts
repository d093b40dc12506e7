import {mapBounded} from '../../bounded.ts';
import type {CheckLog} from '../forge.ts';
import type {Check} from '../pull-request.ts';
import {isRed} from '../rules/checks.ts';
import {cleanLog} from './clean.ts';
import {fitLogs} from './fit.ts';

/** The first ones, in the order of the forge: a broken build fails every job in the same way. */
const MAX_LOGS = 20;
/** Each holds one tail in memory. */
const AT_ONCE = 2;

/** The logs of the red checks, cleaned and within the limit of them all. */
export async function readLogs(
  checks: readonly Check[],
  read: (check: Check) => Promise<string | null>,
): Promise<CheckLog[]> {
  const red = checks.filter(isRed).slice(0, MAX_LOGS);
  const logs = await mapBounded(red, AT_ONCE, async (check): Promise<CheckLog> => {
    const tail = await read(check);
    return {name: check.name, url: check.url, text: tail === null ? null : cleanLog(tail)};
  });
  return fitLogs(logs);
}
