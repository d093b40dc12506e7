import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {endProcesses, identify} from '@symphony-supervisor/protocol/processes';

/**
 * Ends a child and all that it started when the scope ends, after a failed assertion too: a test file with a living
 * child does not end. `markers` (`NAME=value`) find what has lost its parents.
 */
export function ending(child: ChildProcess, ...markers: readonly string[]): AsyncDisposable {
  const identity = identify(child.pid ?? -1);
  const exited = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
  return {
    [Symbol.asyncDispose]: async () => {
      const roots = identity === null ? [] : [identity];
      await endProcesses({roots, markers, except: [process.pid]}, 0);
      // Not before Node knows it as well.
      if (child.pid !== undefined) await exited;
    },
  };
}

function hasEnded({exitCode, signalCode}: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
