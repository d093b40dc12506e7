import {setTimeout as sleep} from 'node:timers/promises';
import type {Supervisor} from '../../shell/supervisor.ts';
import {EXIT} from '../exit.ts';

/** Reserved from the time limit: after the runs have ended, the store is written and closed. */
const RESERVE_MS = 1000;
/** The largest share of a short limit that is reserved. */
const RESERVE_SHARE = 1 / 3;
const CLOSING_MS = 1000;

/**
 * Handles signals and pm2's message; SIGHUP reloads. Installed before anything starts: a stop
 * requested during start-up takes effect as soon as it has finished. The second request ends the
 * process at once. Returns how to do that.
 */
export function onStopRequests(
  starting: Promise<Supervisor>,
  boundMs: number,
  alsoClose: () => Promise<void>,
): (supervisor: Supervisor) => void {
  let endBy: number | null = null;
  const stop = (): void => {
    const act = endBy === null ? shutDown : endNow;
    // The limit starts with the request, also during start-up.
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
    // HTTP clients that stay connected are not waited for; agents are.
    const closed = Promise.race([alsoClose(), sleep(CLOSING_MS, null, {ref: false})]);
    const closing = [closed, supervisor[Symbol.asyncDispose]()];
    void Promise.allSettled(closing).then(() => process.exit(EXIT.unexpected));
  }
  return endNow;
}
