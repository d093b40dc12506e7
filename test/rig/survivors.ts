import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {setTimeout as sleep} from 'node:timers/promises';
import {
  findProcesses,
  identify,
  isAlive,
  type ProcessIdentity,
} from '@symphony-supervisor/protocol/processes';

/** Far beyond what an ending takes; only a process that stays is ever waited for this long. */
const LIMIT_MS = 20_000;
const POLL_MS = 25;

/** Shell text that starts `command` in the background and notes its pid in `file`. */
export function startAndNote(command: string, file: string): string {
  return `${command} & echo $! >> '${file}'`;
}

/** The processes whose pids a script has noted, as soon as there are as many. */
export async function noted(file: string, count: number): Promise<ProcessIdentity[]> {
  const identities = await until(async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    const pids = text
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
    return pids.length >= count ? pids.map(identify) : null;
  });
  assert.ok(identities !== null, `${file} never named ${count} processes`);
  return identities.map((identity) => {
    assert.ok(identity !== null, 'a process ended before it was looked at');
    return identity;
  });
}

/** Fails unless everything with the run's id, and every process named, is gone within a few seconds. */
export async function nothingIsLeftOf(
  runId: string,
  identities: readonly ProcessIdentity[] = [],
): Promise<void> {
  const left = () => [
    ...findProcesses({roots: [], markers: [`SYMPHONY_RUN_ID=${runId}`], except: []}),
    ...identities.filter(isAlive),
  ];
  const gone = await until(async () => (left().length === 0 ? true : null));
  if (gone === null) assert.fail(`still alive: ${JSON.stringify(left())}`);
}

/** Polls for a fact that no event tells. null when it never came about. */
export async function until<T>(
  look: () => Promise<T | null>,
  limitMs = LIMIT_MS,
): Promise<T | null> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== null || performance.now() > deadline) return seen;
    await sleep(POLL_MS);
  }
}
