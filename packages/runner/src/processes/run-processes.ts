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

/** A shell that was started, and the mark by which all that it starts in turn can be found. */
export interface Step {
  readonly child: ChildProcessWithoutNullStreams;
  /** What the shell itself came to; children that hold its output open do not delay this. */
  readonly exited: Promise<Exit>;
  readonly marker: string;
  /** Of a login shell only. */
  readonly profile: ProfileTime | null;
}

export type Exit =
  | {readonly is: 'exit'; readonly code: number}
  | {readonly is: 'signal'; readonly signal: NodeJS.Signals}
  | {readonly is: 'not-started'; readonly error: Error};

/**
 * Everything that a run starts, so that everything can be ended: each process carries the run's id
 * in its environment, and each shell a mark of its own beside it.
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
      // A session of its own: a Ctrl-C at the terminal is for us, not for the agent.
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

  /** For agents that put a name of their own into whatever they start. */
  alsoMarkedBy(marker: string): void {
    this.#markers.push(marker);
  }

  /** One shell and all that it started; the rest of the run goes on. */
  async endStep(step: Step, graceMs: number): Promise<void> {
    const roots = this.#roots.filter(({pid}) => pid === step.child.pid);
    await endProcesses({roots, markers: [step.marker], except: [process.pid]}, graceMs);
  }

  /** All that is left of the run, apart from this process itself. Returns what could not be ended. */
  async endAll(graceMs: number): Promise<readonly ProcessIdentity[]> {
    return this.#hasStartedAny ? endProcesses(this.#query(), graceMs) : [];
  }

  /** For a process that cannot wait any more: nothing else happens in it meanwhile. */
  killAll(): void {
    endProcessesBlocking(this.#query(), LAST_GRACE_MS);
  }

  #query(): ProcessQuery {
    return {roots: this.#roots, markers: this.#markers, except: [process.pid]};
  }

  /** A login profile, or the file that BASH_ENV names, may export what was kept out of the environment. */
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
    // A write to a process that has just ended is not news: its exit is.
    child.stdin.on('error', () => {});
  });
}

export function describeExit(exit: Exit): string {
  if (exit.is === 'exit') return `exit code ${exit.code}`;
  return exit.is === 'signal' ? `signal ${exit.signal}` : exit.error.message;
}
