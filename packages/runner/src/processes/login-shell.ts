import {type ChildProcessWithoutNullStreams, type SpawnOptions, spawn} from 'node:child_process';

/** Duration of the profile of a login shell; null while it is being read. */
export interface ProfileTime {
  readonly tookMs: number | null;
}

/**
 * Starts a script with a shell that reads the user's profile first, and reports when that is done: a slow profile must
 * not count as a slow agent. The shell signals it on a descriptor that it closes before the script begins.
 */
export function startLoginShell(
  shell: 'sh' | 'bash',
  script: string,
  options: SpawnOptions,
): {child: ChildProcessWithoutNullStreams; profile: ProfileTime} {
  const startedAt = performance.now();
  const profile: {tookMs: number | null} = {tookMs: null};
  const child = spawn(shell, ['-lc', `{ printf . >&3; } 2>/dev/null; exec 3>&-; ${script}`], {
    ...options,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const told = child.stdio[3];
  told?.on('error', () => {});
  told?.once('data', () => {
    profile.tookMs = Math.round(performance.now() - startedAt);
    // A daemon of the profile may keep the other end open permanently.
    if ('destroy' in told) told.destroy();
  });
  // The first three are pipes, as `stdio` says; the types of Node know only the short form.
  return {child: child as ChildProcessWithoutNullStreams, profile};
}
