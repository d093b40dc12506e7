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

/** A program without a shell: no profile is read, and no argument is interpreted. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether descriptor 3 of the program, and of all that it starts, is a socket to this process. */
  readonly hasSocket: boolean;
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

/** How every process of a run is started. */
interface Marked {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly detached: true;
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
    const script = this.#withoutSecrets(command.script);
    return this.#start(command, (options) =>
      this.#mode === 'login'
        ? startLoginShell(command.shell, script, options)
        : {child: spawn(command.shell, ['-c', script], options), profile: null},
    );
  }

  startProgram(program: Program): Step {
    return this.#start(program, (options) => {
      const stdio = Array<'pipe'>(program.hasSocket ? 4 : 3).fill('pipe');
      const child = spawn(program.file, program.args, {...options, stdio});
      // The first three are pipes, as `stdio` says; the types of Node know only the short form.
      return {child: child as ChildProcessWithoutNullStreams, profile: null};
    });
  }

  #start(
    {cwd, env}: Pick<Marked, 'cwd' | 'env'>,
    launch: (options: Marked) => Pick<Step, 'child' | 'profile'>,
  ): Step {
    const stepId = freshId();
    const marks = {SYMPHONY_RUN_ID: this.#runId, SYMPHONY_STEP_ID: stepId};
    // A session of its own: a Ctrl-C at the terminal is for us, not for the agent.
    const {child, profile} = launch({cwd, env: {...env, ...marks}, detached: true});
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
