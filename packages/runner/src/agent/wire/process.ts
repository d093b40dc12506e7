import {LineSplitter, RunFailure, Tail} from '@symphony-supervisor/protocol';
import type {StopSignal} from '../../job/stop-signal.ts';
import type {ProfileTime} from '../../processes/login-shell.ts';
import {
  describeExit,
  type Exit,
  type RunProcesses,
  type Step,
} from '../../processes/run-processes.ts';
import type {Transcript} from '../../transcript/transcript.ts';
import type {ProcessOptions} from '../agent.ts';
import {within} from '../within.ts';
import {readInBatches, withoutReadAhead} from './read-in-batches.ts';

/** For the failure message, should it end badly. */
const STDERR_TAIL_BYTES = 2048;
/** An agent ends in well under a second when its input does; one that does not is asked by signal. */
const STDIN_CLOSE_GRACE_MS = 2000;
const SIGTERM_GRACE_MS = 2000;
/** A last message may still be in the pipe when the process is already gone. */
const DRAIN_MS = 500;
const COMMAND_NOT_FOUND = [126, 127];

export interface ProcessHandlers {
  readonly onLine: (line: string) => void;
  /** A line that is too long to be read. */
  readonly onTooLong: (bytes: number) => void;
  /** After all lines that came together. True: they were pieces of streamed text and nothing else. */
  readonly onHeard: () => boolean;
  /** The process is gone, and all that it said has been heard. */
  readonly onGone: (failure: RunFailure) => void;
  /** For an agent that needs more time to end what it started. */
  readonly sigtermGraceMs?: number;
}

/** An agent as a process: lines out, lines in, and its end. */
export class AgentProcess {
  /** Settles when the process is gone and all that it said has been heard. */
  readonly gone: Promise<RunFailure>;
  readonly #step: Step;
  readonly #processes: RunProcesses;
  readonly #stop: StopSignal;
  readonly #sigtermGraceMs: number;
  readonly #stderr = new Tail(STDERR_TAIL_BYTES);

  constructor(command: string, options: ProcessOptions, on: ProcessHandlers) {
    const {transcript, processes} = options;
    this.#processes = processes;
    this.#stop = options.stop;
    this.#sigtermGraceMs = on.sigtermGraceMs ?? SIGTERM_GRACE_MS;
    this.#step = withoutReadAhead(() =>
      processes.start({...options, shell: 'bash', script: command}),
    );
    const {child} = this.#step;
    transcript.event('agent_started', {pid: child.pid ?? null, command});

    const lines = new LineSplitter(on.onLine, on.onTooLong);
    readInBatches(child.stdout, (batch) => {
      lines.push(batch);
      return on.onHeard();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk);
      transcript.output('stderr', chunk);
    });
    this.gone = this.#awaitEnd(transcript, () => {
      lines.end();
      on.onHeard();
    });
    void this.gone.then(on.onGone);
  }

  get pid(): number | null {
    return this.#step.child.pid ?? null;
  }

  /** With `agent.shell: login`, the time that the profile took. */
  get profile(): ProfileTime | null {
    return this.#step.profile;
  }

  write(line: string): void {
    this.#step.child.stdin.write(line);
  }

  /** Asks by closing its input, then by SIGTERM, then forces; with it goes all that it started. */
  async end(): Promise<void> {
    const {child} = this.#step;
    child.stdin.end();
    await within(this.#stop.stepLimit(STDIN_CLOSE_GRACE_MS), this.#step.exited);
    await this.#processes.endStep(this.#step, this.#stop.stepLimit(this.#sigtermGraceMs));
    // A process that escaped may hold the pipes open; nothing reads them any more.
    child.stdout.destroy();
    child.stderr.destroy();
  }

  async #awaitEnd(transcript: Transcript, hearTheRest: () => void): Promise<RunFailure> {
    const exit = await this.#step.exited;
    // Not for ever: a grandchild may hold the pipe open long after the agent has gone.
    await within(DRAIN_MS, streamEnd(this.#step));
    hearTheRest();
    transcript.event('agent_exited', {exit: describeExit(exit)});
    return this.#failureOf(exit);
  }

  #failureOf(exit: Exit): RunFailure {
    const said = this.#stderr.text().trim();
    const tail = said === '' ? '' : `: ${said}`;
    const isMissing =
      exit.is === 'not-started' || (exit.is === 'exit' && COMMAND_NOT_FOUND.includes(exit.code));
    return isMissing
      ? new RunFailure('agent_not_found', `the agent command could not be started${tail}`)
      : new RunFailure('port_exit', `the agent process ended with ${describeExit(exit)}${tail}`);
  }
}

function streamEnd(step: Step): Promise<unknown> {
  const {stdout} = step.child;
  return new Promise((resolve) => {
    if (stdout.readableEnded || stdout.destroyed) resolve(undefined);
    stdout.once('close', resolve);
  });
}
