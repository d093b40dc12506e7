import {setTimeout as sleep} from 'node:timers/promises';
import type {Supervisor} from '../shell/supervisor.ts';
import {EXIT} from './exit.ts';

/** What ending an agent takes is not for `after_run`. */
const ENDING_MS = 10_000;
const CLOSING_MS = 1000;

/**
 * Signals, and pm2's message. Heard from the first moment on: who is asked to stop before it has started
 * stops as soon as it has. The second request means it. Returns how to end at once.
 */
export function onStopRequests(
  starting: Promise<Supervisor>,
  boundMs: number,
  alsoClose: () => Promise<void>,
): (supervisor: Supervisor) => void {
  let times = 0;
  const stop = (): void => {
    const act = times++ === 0 ? shutDown : endNow;
    void starting.then(act, () => {});
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('message', (message) => {
    if (message === 'shutdown') stop();
  });

  function shutDown(supervisor: Supervisor): void {
    supervisor.shutdown(Math.max(1000, boundMs - ENDING_MS));
    setTimeout(() => endNow(supervisor), boundMs).unref();
  }
  function endNow(supervisor: Supervisor): void {
    // A reader of ours that does not hang up is not waited for; agents are.
    const closed = Promise.race([alsoClose(), sleep(CLOSING_MS, null, {ref: false})]);
    const closing = [closed, supervisor[Symbol.asyncDispose]()];
    void Promise.allSettled(closing).then(() => process.exit(EXIT.unexpected));
  }
  return endNow;
}
