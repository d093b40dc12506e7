import {type ChildProcessWithoutNullStreams, type SpawnOptions, spawn} from 'node:child_process';

/** How long the profile of a login shell took; null while it is being read. */
export interface ProfileTime {
  readonly tookMs: number | null;
}

/**
 * Starts a script by a shell that reads the user's profile first, and tells when that is over: a slow profile must not
 * pass for a slow agent. The shell says so on a descriptor that it closes before the script begins.
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
    // A daemon of the profile may keep the other end open for good.
    if ('destroy' in told) told.destroy();
  });
  // The first three are pipes, as `stdio` says; the types of Node know only the short form.
  return {child: child as ChildProcessWithoutNullStreams, profile};
}
