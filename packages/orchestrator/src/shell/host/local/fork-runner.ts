import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {constants, setPriority} from 'node:os';
import {withoutCertificates} from '@symphony-supervisor/protocol';
import type {OutputTail} from './output-tail.ts';

/** After its end a runner's last words are still in the pipe; a child that holds it open is not waited for. */
const LAST_WORDS_MS = 2_000;

/**
 * What a runner holds is short-lived and small, and there are many of them: a small nursery saves each some
 * memory, and one helper of V8's is enough.
 */
export const RUNNER_FLAGS = ['--max-semi-space-size=1', '--v8-pool-size=1'];

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts the runner's bundle. A system without room for one more process says so at once or a moment
 * later, depending on what it lacks; either way it is returned or told by the child's 'error'.
 */
export function forkRunner(
  path: string,
  snapshot: string | null,
  env: Record<string, string | undefined>,
): ChildProcess | Error {
  try {
    const child = fork(path, {
      env,
      // In a group of its own: the terminal's Ctrl-C is for us, and we stop runs in good order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // None of ours: the bundle needs no loader, and must not share our debugger's port.
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
    // Gone already, or not allowed here: it is only a courtesy.
  }
}

/** Of 1000. What an agent starts inherits it: a run can be resumed, the supervisor serves all of them. */
const OOM_SCORE = 500;

/** A machine out of memory ends a run rather than its supervisor. Linux only. */
function preferForOom(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE));
  } catch {
    // Not this system, already gone, or started with a higher score, which only root may lower.
  }
}

/** The tracker's secrets stay here; the run's id marks every process that descends from this one. */
export function runnerEnvironment(
  base: Environment,
  secretNames: readonly string[],
  runId: string,
): Record<string, string | undefined> {
  const visible = Object.entries(base).filter(([name]) => !secretNames.includes(name));
  return {...withoutCertificates(Object.fromEntries(visible)), SYMPHONY_RUN_ID: runId};
}

/** What became of the process, once it is gone and all that it said has been heard. */
export function endOf(child: ChildProcess | Error, output: OutputTail): Promise<string> {
  if (child instanceof Error) return Promise.resolve(`not started: ${child.message}`);
  output.drain(child.stdout);
  output.drain(child.stderr);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // Also the event of a message that could not be sent, to a child that is there.
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

/** Not the child's own 'close': that one never comes when it was us who closed the line. */
async function saidAll(child: ChildProcess): Promise<void> {
  const open = [child.stdout, child.stderr].flatMap((stream) =>
    stream === null || stream.closed ? [] : stream,
  );
  await Promise.all([
    ...open.map((stream) => once(stream, 'close')),
    // The result may still be on its way here.
    child.connected ? once(child, 'disconnect') : null,
  ]);
}
