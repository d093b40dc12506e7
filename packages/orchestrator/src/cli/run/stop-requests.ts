import {setTimeout as sleep} from 'node:timers/promises';
import type {Supervisor} from '../../shell/supervisor.ts';
import {EXIT} from '../exit.ts';

/** Kept back from the bound: runs are over by then, and the rest is to write the store and to close. */
const RESERVE_MS = 1000;
/** Of a short bound the reserve takes no more than this share. */
const RESERVE_SHARE = 1 / 3;
const CLOSING_MS = 1000;

/**
 * Signals, and pm2's message; SIGHUP reloads. Heard from the first moment on: who is asked to stop before it has started
 * stops as soon as it has. The second request means it. Returns how to end at once.
 */
export function onStopRequests(
  starting: Promise<Supervisor>,
  boundMs: number,
  alsoClose: () => Promise<void>,
): (supervisor: Supervisor) => void {
  let endBy: number | null = null;
  const stop = (): void => {
    const act = endBy === null ? shutDown : endNow;
    // The bound counts from the request, also while the supervisor is still starting.
    endBy ??= performance.now() + boundMs;
    void starting.then(act, () => {});
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('message', (message) => {
    if (message === 'shutdown') stop();
  });

  // On a terminal SIGHUP means that it was closed: stop. Without one it is the usual signal to reload.
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY || process.stdout.isTTY) stop();
    else void starting.then((supervisor) => supervisor.reload()).catch(() => {});
  });

  function shutDown(supervisor: Supervisor): void {
    const leftMs = Math.max(0, (endBy ?? 0) - performance.now());
    const reserveMs = Math.min(RESERVE_MS, boundMs * RESERVE_SHARE);
    supervisor.shutdown(Math.max(0, Math.floor(leftMs - reserveMs)));
    setTimeout(() => endNow(supervisor), leftMs).unref();
  }
  function endNow(supervisor: Supervisor): void {
    // A reader of ours that does not hang up is not waited for; agents are.
    const closed = Promise.race([alsoClose(), sleep(CLOSING_MS, null, {ref: false})]);
    const closing = [closed, supervisor[Symbol.asyncDispose]()];
    void Promise.allSettled(closing).then(() => process.exit(EXIT.unexpected));
  }
  return endNow;
}
