import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process';
import type {ShellMode} from '@symphony-supervisor/protocol';
import {
  endProcesses,
  endProcessesBlocking,
  identify,
  type ProcessIdentity,
  type ProcessQuery,
} from '@symphony-supervisor/protocol/processes';
import {freshId} from './fresh-id.ts';
import {type ProfileTime, startLoginShell} from './login-shell.ts';

export interface ShellCommand {
  readonly shell: 'sh' | 'bash';
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Between SIGTERM and SIGKILL when this process has to end: a hook may hold a lock. */
const LAST_GRACE_MS = 500;

/** A started shell, and the mark by which all its descendants can be found. */
export interface Step {
  readonly child: ChildProcessWithoutNullStreams;
  /** How the shell itself ended; children that keep its output open do not delay this. */
  readonly exited: Promise<Exit>;
  readonly marker: string;
  /** For a login shell only. */
  readonly profile: ProfileTime | null;
}

export type Exit =
  | {readonly is: 'exit'; readonly code: number}
  | {readonly is: 'signal'; readonly signal: NodeJS.Signals}
  | {readonly is: 'not-started'; readonly error: Error};

/**
 * All processes of a run, so that all of them can be ended: each process carries the run's id in its
 * environment, and each shell an additional mark.
 */
export class RunProcesses {
  readonly #runId: string;
  readonly #secretNames: readonly string[];
  readonly #mode: ShellMode;
  readonly #roots: ProcessIdentity[] = [];
  readonly #markers: string[];
  #hasStartedAny = false;

  constructor(runId: string, secretNames: readonly string[], mode: ShellMode) {
    this.#runId = runId;
    this.#secretNames = secretNames;
    this.#mode = mode;
    this.#markers = [`SYMPHONY_RUN_ID=${runId}`];
  }

  start(command: ShellCommand): Step {
    const stepId = freshId();
    const script = this.#withoutSecrets(command.script);
    const options = {
      cwd: command.cwd,
      env: {...command.env, SYMPHONY_RUN_ID: this.#runId, SYMPHONY_STEP_ID: stepId},
      // A separate session: Ctrl-C at the terminal is for the runner, not for the agent.
      detached: true,
    };
    const {child, profile} =
      this.#mode === 'login'
        ? startLoginShell(command.shell, script, options)
        : {child: spawn(command.shell, ['-c', script], options), profile: null};
    this.#hasStartedAny = true;
    const root = child.pid === undefined ? null : identify(child.pid);
    if (root !== null) this.#roots.push(root);
    return {child, exited: exitOf(child), marker: `SYMPHONY_STEP_ID=${stepId}`, profile};
  }

  /** For agents that add their own variable to all child processes. */
  alsoMarkedBy(marker: string): void {
    this.#markers.push(marker);
  }

  /** One shell and its descendants; the rest of the run continues. */
  async endStep(step: Step, graceMs: number): Promise<void> {
    const roots = this.#roots.filter(({pid}) => pid === step.child.pid);
    await endProcesses({roots, markers: [step.marker], except: [process.pid]}, graceMs);
  }

  /** All remaining processes of the run, except this one. Returns those that could not be ended. */
  async endAll(graceMs: number): Promise<readonly ProcessIdentity[]> {
    return this.#hasStartedAny ? endProcesses(this.#query(), graceMs) : [];
  }

  /** For a process that cannot wait: nothing else runs in it in the meantime. */
  killAll(): void {
    endProcessesBlocking(this.#query(), LAST_GRACE_MS);
  }

  #query(): ProcessQuery {
    return {roots: this.#roots, markers: this.#markers, except: [process.pid]};
  }

  /** A login profile, or the file in BASH_ENV, may export variables that were removed from the environment. */
  #withoutSecrets(script: string): string {
    return this.#secretNames.length === 0
      ? script
      : `unset ${this.#secretNames.join(' ')}; ${script}`;
  }
}

function exitOf(child: ChildProcessWithoutNullStreams): Promise<Exit> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({is: 'not-started', error}));
    child.on('exit', (code, signal) =>
      resolve(signal === null ? {is: 'exit', code: code ?? 0} : {is: 'signal', signal}),
    );
    // A write to a process that has just ended is not reported: its exit is.
    child.stdin.on('error', () => {});
  });
}

export function describeExit(exit: Exit): string {
  if (exit.is === 'exit') return `exit code ${exit.code}`;
  return exit.is === 'signal' ? `signal ${exit.signal}` : exit.error.message;
}
