import {setTimeout as sleep} from 'node:timers/promises';

const POLL_MS = 20;
/** Far more than anything here takes: it ends a test that would never end, and measures nothing. */
const LIMIT_MS = 30_000;

/** Waits for a fact that announces itself to nobody. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it never came about: ${what}`);
    await sleep(POLL_MS);
  }
}
