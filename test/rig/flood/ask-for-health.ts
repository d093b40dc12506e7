import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {get, type IncomingMessage} from 'node:http';
import {constants, setPriority} from 'node:os';
import {setTimeout as sleep} from 'node:timers/promises';

// Arguments: the URL to ask, and the process id of the supervisor. Says when it was answered first, and for every
// message how long the slowest answer took; null: one was missing.

const EVERY_MS = 20;
const [, , url = '', supervisor = ''] = process.argv;
let slowestMs: number | null = 0;

/**
 * How long the main thread of the supervisor was ready to run so far while the machine ran others instead. That says
 * nothing about the supervisor, and on a busy machine it is most of the time that an answer takes.
 */
function waitedMs(): number {
  const [, waitedNs = '0'] = readFileSync(`/proc/${supervisor}/schedstat`, 'utf8').split(' ');
  return Number(waitedNs) / 1_000_000;
}

async function ask(): Promise<number> {
  const [begunAt, waited] = [performance.now(), waitedMs()];
  const [answer] = (await once(get(url, {agent: false}), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
  return performance.now() - begunAt - (waitedMs() - waited);
}

try {
  // Its own waiting is not the supervisor's. Without the right to do so the measure is only stricter.
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {}

process.on('message', () => process.send?.(slowestMs));
try {
  await ask();
  process.send?.('begun');
  for (;;) {
    slowestMs = Math.max(slowestMs, await ask());
    await sleep(EVERY_MS);
  }
} catch (error) {
  slowestMs = null;
  console.error(error);
}
