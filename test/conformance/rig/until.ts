import {setTimeout as pause} from 'node:timers/promises';

/** Far beyond what anything here takes; only what never comes about is waited for this long. */
const LIMIT_MS = 60_000;
const POLL_MS = 20;

/** Looks until there is something to see. Whatever the last look said is in the failure. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`it never came about: ${what}`);
    await pause(POLL_MS);
  }
}
