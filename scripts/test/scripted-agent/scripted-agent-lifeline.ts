import {execFileSync} from 'node:child_process';
import {createReadStream} from 'node:fs';
import {join} from 'node:path';

/** Shell words that tie a process, and all it starts, to the lifeline in its working folder. */
export const HOLD = 'exec 9>lifeline; echo $$ >&9';

/**
 * Tells the pid of the process that took hold of the lifeline, and resolves `cut` when the last one
 * that holds it is dead. A pipe knows that better than signal 0, for which the dead count until
 * they are reaped.
 */
export function lifeline(folder: string): {
  readonly holder: Promise<number>;
  readonly cut: Promise<void>;
} {
  const path = join(folder, 'lifeline');
  execFileSync('mkfifo', [path]);
  const stream = createReadStream(path, 'utf8');
  return {
    holder: new Promise((resolve) => stream.once('data', (pid) => resolve(Number(pid)))),
    cut: new Promise((resolve) => stream.once('close', () => resolve())),
  };
}
