import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {constants, setPriority} from 'node:os';
import {withoutCertificates} from '@symphony-supervisor/protocol';
import type {OutputTail} from './output-tail.ts';

/** After its exit the last output of a runner is still in the pipe; a child that keeps it open is not waited for. */
const LAST_WORDS_MS = 2_000;

/**
 * A runner holds few, short-lived objects, and there are many runners: a small young generation saves memory,
 * and one V8 helper thread is enough.
 */
export const RUNNER_FLAGS = ['--max-semi-space-size=1', '--v8-pool-size=1'];

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts the runner's bundle. If the system cannot start another process, the error comes immediately or later,
 * depending on the resource; it is either returned or reported by the child's 'error' event.
 */
export function forkRunner(
  path: string,
  snapshot: string | null,
  env: Record<string, string | undefined>,
): ChildProcess | Error {
  try {
    const child = fork(path, {
      env,
      // In a separate process group: Ctrl-C of the terminal is for the supervisor, which stops runs cleanly.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // No options of the supervisor: the bundle needs no loader, and must not share the debugger's port.
      execArgv: [...RUNNER_FLAGS, ...(snapshot === null ? [] : ['--snapshot-blob', snapshot])],
    });
    if (child.pid !== undefined) preferForOom(child.pid);
    return child;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Removing a workspace is not urgent, and its slot may be filled at this moment. */
export function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Exited already, or not permitted: lowering the priority is optional.
  }
}

/** Of 1000. Child processes inherit it: a run can be resumed, the supervisor serves all runs. */
const OOM_SCORE = 500;

/** If memory runs out, the kernel ends a run rather than the supervisor. Linux only. */
function preferForOom(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE));
  } catch {
    // Not this system, exited already, or started with a higher score, which only root may lower.
  }
}

/** The tracker's secrets stay in this process; the run's id marks every descendant of the runner. */
export function runnerEnvironment(
  base: Environment,
  secretNames: readonly string[],
  runId: string,
): Record<string, string | undefined> {
  const visible = Object.entries(base).filter(([name]) => !secretNames.includes(name));
  return {...withoutCertificates(Object.fromEntries(visible)), SYMPHONY_RUN_ID: runId};
}

/** How the process ended, once it has exited and its output has been read. */
export function endOf(child: ChildProcess | Error, output: OutputTail): Promise<string> {
  if (child instanceof Error) return Promise.resolve(`not started: ${child.message}`);
  output.drain(child.stdout);
  output.drain(child.stderr);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // Also emitted for a message that could not be sent to a running child.
      if (child.pid === undefined) resolve(`not started: ${error.message}`);
    });
    child.on('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      const timer = setTimeout(() => resolve(how), LAST_WORDS_MS);
      void saidAll(child).then(() => {
        clearTimeout(timer);
        resolve(how);
      });
    });
  });
}

/** Not the child's 'close' event: it is not emitted if the supervisor closed the channel. */
async function saidAll(child: ChildProcess): Promise<void> {
  const open = [child.stdout, child.stderr].flatMap((stream) =>
    stream === null || stream.closed ? [] : stream,
  );
  await Promise.all([
    ...open.map((stream) => once(stream, 'close')),
    // The result may still be in transit.
    child.connected ? once(child, 'disconnect') : null,
  ]);
}
